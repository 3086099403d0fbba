/**
 * NestJS on Express with the duties of our server: tokens (a guard and Nest's own package), request ids and log lines
 * (pino-http), validation (class-validator), keys. Decorators are called as functions, because Node does not parse
 * them.
 */
// NestJS loads the first two by itself. They are named here, so that the check of unused packages knows them.
import '@nestjs/platform-express';
import 'rxjs';
import 'reflect-metadata';
import { Body, Controller, Get, Headers, Module, NotFoundException, Param } from '@nestjs/common';
import { ParseUUIDPipe, Post, Query, Req, UnauthorizedException, ValidationPipe } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { JwtModule, JwtService } from '@nestjs/jwt';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { announce, jwtSecret } from './process.js';
import { requestLog } from './request-log.js';
import { createTask, fields, getTask, listTasks } from './tasks.js';

class Page {
  limit = 100;
  offset = 0;
}
for (const name of ['limit', 'offset']) {
  for (const rule of [IsInt(), Min(0), Type(() => Number)]) rule(Page.prototype, name);
}
Max(1000)(Page.prototype, 'limit');

class NewTask {}
for (const name of Object.keys(fields)) {
  IsString()(NewTask.prototype, name);
  if (name === 'title') Length(1, 1000)(NewTask.prototype, name);
  else IsOptional()(NewTask.prototype, name);
}

class Tasks {
  async get(id, { user }) {
    const body = await getTask(id, user);
    if (body === undefined) throw new NotFoundException();
    return body;
  }

  list(page, { user }) {
    return listTasks(page, user);
  }

  create(body, { user, res }, key) {
    // Nest sends text unchanged.
    res.type('json');
    return createTask(body, user, key);
  }
}

const valid = (expectedType) => new ValidationPipe({ transform: true, whitelist: true, expectedType });
route('get', Get(':id'), Param('id', new ParseUUIDPipe()), Req());
route('list', Get(), Query(valid(Page)), Req());
route('create', Post(), Body(valid(NewTask)), Req(), Headers('idempotency-key'));
Controller('api/tasks')(Tasks);

function route(name, method, ...parameters) {
  method(Tasks.prototype, name, Object.getOwnPropertyDescriptor(Tasks.prototype, name));
  for (const [i, parameter] of parameters.entries()) parameter(Tasks.prototype, name, i);
}

class TokenGuard {
  constructor(jwt) {
    this.jwt = jwt;
  }

  async canActivate(context) {
    const request = context.switchToHttp().getRequest();
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    if (scheme !== 'Bearer') throw new UnauthorizedException();
    const claims = await this.jwt.verifyAsync(token).catch(() => {
      throw new UnauthorizedException();
    });
    request.user = claims.sub;
    return true;
  }
}
Reflect.defineMetadata('design:paramtypes', [JwtService], TokenGuard);

class AppModule {}
Module({
  imports: [JwtModule.register({ secret: jwtSecret, verifyOptions: { algorithms: ['HS256'] } })],
  controllers: [Tasks],
  providers: [{ provide: APP_GUARD, useClass: TokenGuard }],
})(AppModule);

const app = await NestFactory.create(AppModule, { logger: false });
app.use(requestLog());
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer().address().port);
