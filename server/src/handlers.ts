import { agentFinishers, agentHandlers } from './agents/handlers.ts';
import type { AgentServices } from './agents/services.ts';
import type { Handlers } from './operations.ts';
import { taskHandlers, type TaskServices } from './tasks/handlers.ts';
import { vizGates, vizHandlers, type VizServices } from './viz/handlers.ts';

/** What the handlers work with. */
export type Services = ToolServices & AgentServices;

/** What the handlers work with that agents can use. */
export type ToolServices = TaskServices & VizServices;

/** The handlers of the operations that agents can use as tools. */
export const toolHandlers = { ...taskHandlers, ...vizHandlers };

/** The handlers of all operations of the contract; one that is missing does not compile. */
export const handlers = { ...toolHandlers, ...agentHandlers } satisfies Handlers<Services>;

/** Their second parts, of those that take long. */
export const finishers = { ...agentFinishers };

/** What comes before them, of those that have to be refused quickly. */
export const gates = { ...vizGates };
