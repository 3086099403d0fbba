import { idempotent, retryable, retryableAfterRefusal } from './call.ts';
import { jsonBody } from './json-body.ts';
import type { IdempotentOptions, RequestOptions } from './options.ts';
import { commentParams, pathParams } from './parameters.ts';
import type { Comment, CommentCreate, DeletedComment } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import type { Transport } from './transport.ts';

/** The operations that change the comments of a task. */
export interface TaskComments {
  /**
   * Add a comment. Adds a comment by the caller.
   *
   * @example
   * await client.tasks.createComment('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57', { body: 'Oat milk, please.' });
   */
  createComment(id: string, comment: CommentCreate, options?: IdempotentOptions): Result<Comment>;
  /**
   * Change a comment. Replaces the text of a comment. Only its author can do this. The audit log keeps the earlier
   * text. An update that changes nothing keeps `updated_at` and writes no audit entry.
   *
   * @example
   * const [comment] = await client.tasks.listComments('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57').toArray({ limit: 1 });
   * if (comment) await client.tasks.updateComment(comment.task_id, comment.id, { body: 'Soy milk, please.' });
   */
  updateComment(
    id: string,
    commentId: string,
    comment: CommentCreate,
    options?: RequestOptions,
  ): Result<Comment>;
  /**
   * Delete a comment. Deletes a comment. Only its author can do this. The audit log keeps its text.
   *
   * @example
   * const [comment] = await client.tasks.listComments('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57').toArray({ limit: 1 });
   * if (comment) await client.tasks.deleteComment(comment.task_id, comment.id);
   */
  deleteComment(id: string, commentId: string, options?: RequestOptions): Result<DeletedComment>;
}

export function createTaskComments({ api, send }: Transport): TaskComments {
  return {
    createComment: (id, comment, options) => {
      const call = idempotent('createComment', options);
      const body = jsonBody(comment);
      return resultOf(
        send(call, (init) => api.POST('/api/tasks/{id}/comments', { ...init, ...pathParams(id), ...body })),
      );
    },
    updateComment: (id, commentId, comment, options) => {
      const call = retryableAfterRefusal('updateComment', options);
      const body = jsonBody(comment);
      return resultOf(
        send(call, (init) =>
          api.PUT('/api/tasks/{id}/comments/{comment_id}', {
            ...init,
            ...commentParams(id, commentId),
            ...body,
          }),
        ),
      );
    },
    deleteComment: (id, commentId, options) =>
      resultOf(
        send(retryable('deleteComment', options), (init) =>
          api.DELETE('/api/tasks/{id}/comments/{comment_id}', { ...init, ...commentParams(id, commentId) }),
        ),
      ),
  };
}
