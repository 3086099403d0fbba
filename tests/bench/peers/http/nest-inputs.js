/** Request classes with the decorators of class-validator and class-transformer. */
import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { __decorate } from 'tslib';

export class ListTasks {
  limit = 100;
  offset = 0;
}

const number = [IsInt(), Min(0), Type(() => Number)];
__decorate([...number, Max(1000)], ListTasks.prototype, 'limit', undefined);
__decorate(number, ListTasks.prototype, 'offset', undefined);

export class CreateTask {}

__decorate([IsString(), Length(1, 1000)], CreateTask.prototype, 'title', undefined);
const optional = ['workspace_id', 'description', 'status', 'priority', 'assignee_id', 'assignee_type'];
for (const name of [...optional, 'assignee_name', 'due_date', 'tags', 'metadata']) {
  __decorate([IsOptional(), IsString()], CreateTask.prototype, name, undefined);
}
