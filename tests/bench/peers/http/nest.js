/** NestJS on Express with TypeORM. Decorators are applied as the TypeScript compiler emits them. */
import 'reflect-metadata';
import { Body, Controller, Get, Headers, Module, NotFoundException, Param } from '@nestjs/common';
import { ParseUUIDPipe, Post, Query, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { __decorate, __metadata, __param } from 'tslib';
import { DataSource, Repository } from 'typeorm';
import { announce, databaseUrl, poolSize } from './process.js';
import { AuditEntry, Task } from './nest-entities.js';
import { CreateTask, ListTasks } from './nest-inputs.js';
import { columns, newEntry, newTask } from './tasks.js';

const select = Object.fromEntries(columns.map((name) => [name, true]));

let TasksController = class TasksController {
  constructor(tasks, dataSource) {
    this.tasks = tasks;
    this.dataSource = dataSource;
  }

  async get(id, user) {
    const task = await this.tasks.findOne({ select, where: { id, user_id: user } });
    if (task === null) throw new NotFoundException();
    return { task };
  }

  async list({ limit, offset }, user) {
    const [tasks, count] = await this.tasks.findAndCount({
      select,
      where: { user_id: user },
      order: { created_at: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { tasks, count };
  }

  async create(body, user) {
    const now = new Date();
    const row = { ...newTask(body, user), created_at: now, updated_at: now };
    await this.dataSource.transaction(async (manager) => {
      await manager.insert(Task, row);
      await manager.insert(AuditEntry, { ...newEntry(body, row), created_at: now });
    });
    return { task: Object.fromEntries(columns.map((name) => [name, row[name]])) };
  }
};

const { prototype } = TasksController;
const user = Headers('x-user');
const types = (...parameters) => __metadata('design:paramtypes', parameters);
__decorate(
  [Get(':id'), __param(0, Param('id', ParseUUIDPipe)), __param(1, user), types(String, String)],
  prototype,
  'get',
  null,
);
__decorate([Get(), __param(0, Query()), __param(1, user), types(ListTasks, String)], prototype, 'list', null);
__decorate(
  [Post(), __param(0, Body()), __param(1, user), types(CreateTask, String)],
  prototype,
  'create',
  null,
);
TasksController = __decorate(
  [
    Controller('api/tasks'),
    __param(0, InjectRepository(Task)),
    __param(1, InjectDataSource()),
    types(Repository, DataSource),
  ],
  TasksController,
);

let AppModule = class AppModule {};
AppModule = __decorate(
  [
    Module({
      imports: [
        TypeOrmModule.forRoot({
          type: 'postgres',
          url: databaseUrl,
          poolSize,
          entities: [Task, AuditEntry],
        }),
        TypeOrmModule.forFeature([Task, AuditEntry]),
      ],
      controllers: [TasksController],
    }),
  ],
  AppModule,
);

const app = await NestFactory.create(AppModule, { logger: false });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer().address().port);
