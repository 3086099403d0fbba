import * as operations from './generated/operations.ts';
import type { IdempotentOptions, RequestOptions } from './options.ts';
import type { Comment, CommentCreate, DeletedComment } from './resources.ts';
import type { Result } from './result.ts';
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

export function createTaskComments({ send }: Transport): TaskComments {
  return {
    createComment: (id, body, options) => send(operations.createComment, { path: { id }, body, options }),
    updateComment: (id, commentId, body, options) =>
      send(operations.updateComment, { path: { id, comment_id: commentId }, body, options }),
    deleteComment: (id, commentId, options) =>
      send(operations.deleteComment, { path: { id, comment_id: commentId }, options }),
  };
}
