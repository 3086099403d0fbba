import { taskHandlers, type TaskServices } from './tasks/handlers.ts';
import { vizHandlers, type VizServices } from './viz/handlers.ts';

/** What the handlers work with. */
export type Services = TaskServices & VizServices;

/** The handlers of the operations that this server offers. */
export const handlers = { ...taskHandlers, ...vizHandlers };
