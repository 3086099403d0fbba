import { agentFinishers, agentHandlers } from './agents/handlers.ts';
import type { AgentServices } from './agents/services.ts';
import { taskHandlers, type TaskServices } from './tasks/handlers.ts';

/** What the handlers work with. */
export type Services = TaskServices & AgentServices;

/** The handlers of the operations that agents can use as tools. */
export const toolHandlers = { ...taskHandlers };

/** The handlers of the operations that this server offers. */
export const handlers = { ...toolHandlers, ...agentHandlers };

/** Their second parts, of those that take long. */
export const finishers = { ...agentFinishers };
