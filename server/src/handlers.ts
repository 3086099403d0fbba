import { taskHandlers, type TaskServices } from './tasks/handlers.ts';

/** What the handlers work with. */
export type Services = TaskServices;

/** The handlers of the operations that this server offers. */
export const handlers = { ...taskHandlers };
