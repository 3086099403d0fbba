// Made from openapi/ by `npm run generate`. Edit the contract, not this file.

export interface paths {
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description The caller's tasks, newest first unless `sort` says otherwise. All filters must match; `count` is the number of
         *     all matches, whatever `limit` and `offset` are; `limit=0` returns it alone.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Create a task
         * @description Creates a task that belongs to the caller. An empty optional field counts as absent. If the operator limits the
         *     tasks of a user, a task above the limit is 400 with the error code `too_many`.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many tasks
         * @description Creates, updates and deletes up to 100 tasks at once. Each operation has its own result, in the order of the
         *     request. A refused operation changes nothing; the others take effect together. A body is 400 if it is invalid,
         *     names a task twice, has more than 1000 tags in all its tasks, or would raise the number of the caller's tasks
         *     above the operator's limit. It is 413 if the descriptions and metadata in the request, and those of the stored
         *     tasks that it names, exceed 1 MiB together.
         */
        post: operations["batchTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count tasks
         * @description The number of the caller's tasks, by status and by workspace. The numbers are exact, although they come from
         *     counters. Both filters must match.
         */
        get: operations["countTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        /**
         * Get a task
         * @description One task of the caller, with its `ETag`.
         */
        get: operations["getTask"];
        /**
         * Update a task
         * @description Merges the given fields into the task: an absent field keeps its value, null clears it (`status` and
         *     `priority` return to their defaults). `id`, `user_id`, `etag` and the timestamps are ignored, so a fetched
         *     task can be sent back. A body without a usable field is 400 `No fields to update`. An update that changes nothing
         *     keeps `updated_at` and writes no audit entry.
         */
        put: operations["updateTask"];
        post?: never;
        /**
         * Delete a task
         * @description Deletes the task and its comments. Its owner can still read its audit log, with its last state, for as long as
         *     the server keeps the log.
         */
        delete: operations["deleteTask"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a task
         * @description Sets the assignee fields in the body, which must have at least one. An empty or null `assignee_id` clears all
         *     three. Any other `assignee_id` sets all three. The type then defaults to `human`. The name defaults to null or,
         *     with the type `agent`, to the name of the caller's agent with this id. Assigning never starts an agent and gives
         *     the assignee no rights.
         */
        post: operations["assignTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        /**
         * List comments of a task
         * @description The comments of the task, oldest first.
         */
        get: operations["listComments"];
        put?: never;
        /**
         * Add a comment
         * @description Adds a comment by the caller.
         */
        post: operations["createComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/comments/{comment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
                /**
                 * @description The comment's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f4-02d1-7c55-8a31-5f0f3f6d9e21
                 */
                comment_id: components["parameters"]["CommentId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Change a comment
         * @description Replaces the text of a comment. Only its author can do this. The audit log keeps the earlier text. An update
         *     that changes nothing keeps `updated_at` and writes no audit entry.
         */
        put: operations["updateComment"];
        post?: never;
        /**
         * Delete a comment
         * @description Deletes a comment. Only its author can do this. The audit log keeps its text.
         */
        delete: operations["deleteComment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        /**
         * List audit entries of a task
         * @description Every change of the task, oldest first. Replaying the changes reproduces the task. The owner can also read the
         *     log of a deleted task, for as long as the server keeps it. After that, only the entry of the deletion is left.
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes
         * @description The audit entries of all tasks of the caller, including deleted tasks, in the order in which they were recorded,
         *     oldest first. To keep a copy, call it again with `after` set to `next`: no change is missed or repeated. A
         *     change is listed when no earlier change can appear any more, so it may be delayed by the longest write in
         *     progress. With `Accept: text/event-stream` the response stays open and sends each change within about a second.
         *     The stream ends when the token is refused, after an hour, or when the server stops; a client continues it with
         *     `Last-Event-ID`. The `EventSource` of browsers sends no token, so it cannot read the stream.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller
         * @description The user of the token, when it expires, and the limits of the user's requests.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/viz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Service status and supported formats
         * @description Reports that charts can be rendered, and in which formats.
         */
        get: operations["getVizStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/viz/render/svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a chart to SVG
         * @description The chart as SVG markup, with real text, a name and a description for screen readers, and without external
         *     references. Its text inherits no styles from a page. The response is JSON unless `Accept` names `image/svg+xml`.
         */
        post: operations["renderSvg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/viz/render/png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a chart to PNG
         * @description The chart as a PNG picture of `width` by `height` pixels, times `scale`. The response is base64 in JSON unless
         *     `Accept` names `image/png`.
         */
        post: operations["renderPng"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/viz/render/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a chart to PDF
         * @description The chart as a PDF document of one page with real text. The response is base64 in JSON unless `Accept` names
         *     `application/pdf`.
         */
        post: operations["renderPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/viz/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the address of a chart
         * @description An address that shows the chart to anybody until it expires, for example in an `<img>` of an email or a Markdown
         *     page. The server stores nothing. The address contains the chart, so whoever has it can read the data. It cannot
         *     be revoked. A chart whose address would have more than 6,144 characters is 400.
         */
        post: operations["linkChart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/viz/links/{link}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a chart by its address
         * @description The picture at an address that `linkChart` has returned. It needs no token, and pages of any origin may show it.
         */
        get: operations["getLinkedChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Returns the caller's agents, newest first.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Creates an agent that belongs to the caller. Any runtime name is accepted.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent's id.
                 * @example 019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c
                 */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        /**
         * Get an agent
         * @description Returns an agent of the caller.
         */
        get: operations["getAgent"];
        /**
         * Update an agent
         * @description Merges the given fields into the agent: an absent field keeps its value; null or an empty text clears
         *     `instructions`, and returns `runtime` to the default of the server; `model_options` are replaced as a whole.
         *     Other fields are ignored, so a fetched agent can be sent back. A body without a usable field is 400
         *     `No fields to update`. A run keeps its runtime; other changes apply when the server next begins or resumes it.
         */
        put: operations["updateAgent"];
        post?: never;
        /**
         * Delete an agent
         * @description The agent is archived: it is no longer listed, and requests to read, change or run it get 404. Its sessions stay
         *     readable for as long as the server keeps sessions. Its unfinished runs continue; cancel them or delete their
         *     sessions to end them.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent's id.
                 * @example 019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c
                 */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an agent
         * @description Starts a run, which is one turn of the agent, and responds with the run once it is finished. With
         *     `Prefer: respond-async`, or when the time of `Prefer: wait=N` (120 seconds by default) has passed, the response
         *     is 202 with the unfinished run, which continues in the background. With `Accept: text/event-stream` the response
         *     streams the events of the run. A run continues when its client disconnects. The runs of one session are executed
         *     one after the other, in the order of their requests. If the session is deleted during the wait, the response is
         *     the cancelled run; a repeated request with the same `Idempotency-Key` is 404 `Run not found`. A run that waits
         *     for decisions about its tool calls is 202 with the status `requires_action`.
         */
        post: operations["runAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runtimes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runtimes
         * @description Returns what agents of this server can have: the runtimes, and the skills with their tools. The tools of an MCP
         *     server are from a list of the last five minutes. Without such a list, the MCP server is asked, for at most two
         *     seconds.
         */
        get: operations["listRuntimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description Returns the caller's runs, newest first. All filters must match. The runs that wait for decisions of the caller
         *     have the status `requires_action`.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example 019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        /**
         * Get a run
         * @description Returns a run of the caller. With `Accept: text/event-stream` the response streams the run: its messages so far,
         *     then its events as they happen, until the run is finished or requires action. With `Last-Event-ID`, the messages
         *     up to that event are left out. The stream also ends when the token is refused, after an hour, or when the server
         *     stops.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example 019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Ends an unfinished run. It writes nothing more, and the next run of its session starts. Its effects stay, and
         *     the text that its model was writing is kept as a `partial` message. A run that has already ended is returned
         *     unchanged, so repeating the request is harmless.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example 019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide about tool calls
         * @description Approves or rejects the tool calls in `required_action` of the run. The run continues when all of them are
         *     decided. An approved call is executed, with other `arguments` if the decision has them, and its audit entry
         *     names the user who approved it. A rejected call fails with the reason. All decisions of a request take effect,
         *     or none. A request is 400 if it names a call that is not waiting, contradicts an earlier decision, or has
         *     arguments that the tool's schema refuses. Repeating a decision is harmless. With the `scope` `session`, an
         *     approval holds for all later calls of the tool in the session. If an MCP server has changed the tool since the
         *     user was asked, the call waits again. Calls that are undecided at `expires_at` are rejected, and the run
         *     continues.
         */
        post: operations["decideToolCalls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Returns the caller's sessions, the one with the latest activity first. Both filters must match. A session that
         *     becomes active moves to the front of the list.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id.
                 * @example 019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e
                 */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * Get a session
         * @description Returns a session with its latest run. Poll it while a run is unfinished.
         */
        get: operations["getSession"];
        /**
         * Update a session
         * @description Merges the given fields into the session: an absent field keeps its value; null or an empty text clears it. Other
         *     fields are ignored, so a fetched session can be sent back. A body without a usable field is 400
         *     `No fields to update`. `updated_at` is the time of the latest message, so an update does not move the session to
         *     the front of the list.
         */
        put: operations["updateSession"];
        post?: never;
        /**
         * Delete a session
         * @description Deletes the session with its messages and runs. Unfinished runs are cancelled and write nothing more. The
         *     changes that runs have made to tasks stay. A later run may use the id for a new session.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id.
                 * @example 019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e
                 */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * List messages of a session
         * @description Returns the messages of the session, oldest first unless `sort` says otherwise. With `Accept: text/event-stream`
         *     the response stays open, and sends each message and each change of a run within about a second, whichever device
         *     has started the run. The stream begins with the messages after `Last-Event-ID` or `after`, the unfinished runs
         *     and the latest run; other parameters are ignored. The text that a model is writing is in the stream of its run.
         *     The stream ends when the token is refused, after an hour, or when the server stops or the session is deleted.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The user of a token. */
        Caller: {
            /** @description The `user_id` of the tasks that the caller creates. */
            id: string;
            /** @description The display name, which comments have as `author_name`. */
            name: string;
            /**
             * Format: date-time
             * @description When the token expires; null if it does not.
             */
            token_expires_at: string | null;
            /** @description How many requests of the caller the server accepts in a minute. Null means no limit. */
            limits_per_minute: {
                /** @description Requests for agents, runs and sessions, except requests that start a run. */
                requests: number | null;
                /** @description Requests that start a run. */
                runs: number | null;
                /** @description Requests that start a run of one agent. */
                runs_per_agent: number | null;
            };
        };
        /**
         * Format: date-time
         * @description A timestamp in UTC with milliseconds, such as `2026-11-21T09:30:00.000Z`.
         */
        Timestamp: string;
        /** @description A value to compare with. An empty value filters nothing. */
        FilterText: string;
        /** @description Values to compare with, each in its own parameter. One must match; empty values filter nothing. */
        FilterTexts: components["schemas"]["FilterText"][];
        /** @description Problem details (RFC 9457). `code` and `error` hold the same string; `detail` says in a sentence what to do. */
        Problem: {
            /**
             * @description The problem has no type beyond its status code (RFC 9457, section 4.2.1).
             * @constant
             */
            type: "about:blank";
            /** @description The name of the status. */
            title: string;
            status: number;
            /** @description What went wrong and what to do about it. */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            error: components["schemas"]["ErrorCode"];
            /** @description The same as the header `X-Request-Id`. */
            request_id: string;
            /**
             * @description The refused fields and parameters: the first hundred, or fewer if they fill 48 KiB. They include the first
             *     error, and further errors in the first 300 entries of each list. Errors that no schema expresses, such as an
             *     unknown colour, are reported only if there are no others.
             */
            errors?: components["schemas"]["FieldError"][];
            /** @description The run that continues although this request cannot follow it. */
            run_id?: string;
            /** @description The session of this run. */
            session_id?: string;
            /**
             * @description With too many unfinished runs: the first five runs that wait for decisions of the caller. `listRuns` lists all
             *     of them by `status=requires_action`.
             */
            waiting_run_ids?: string[];
        };
        /** @description A field or parameter that was refused, and why. */
        FieldError: {
            /**
             * @description JSON pointer (RFC 6901) into the body; for a parameter, its location and name, such as `/query/limit`. A
             *     pointer that is too long is cut and ends with `…`.
             */
            pointer: string;
            code: components["schemas"]["FieldErrorCode"];
            /** @description A sentence about the field, such as `Title must not be blank.` */
            detail: string;
        };
        /**
         * @description Why a field or parameter was refused, for programs: `required`, `unknown` (a query parameter that the operation does
         *     not have), `repeated` (a query parameter that may be given once), `wrong_type`, `not_blank`, `too_long` (text),
         *     `too_many` (entries), `too_small` and `too_large` (numbers and sizes), `not_one_of` (the listed values), `malformed`
         *     (not written as it must be), `unsupported_character`, `conflicting` (with another field or parameter), `not_found`
         *     (the id of nothing that the caller can use), `expired` (the token), or `invalid` (any other reason).
         * @enum {string}
         */
        FieldErrorCode: "required" | "unknown" | "repeated" | "wrong_type" | "not_blank" | "too_long" | "too_many" | "too_small" | "too_large" | "not_one_of" | "malformed" | "unsupported_character" | "conflicting" | "not_found" | "expired" | "invalid";
        /**
         * @description The error code, for programs.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "Bad Request" | "No fields to update" | "SVG_PARSE_ERROR" | "Agent unavailable" | "Unauthorized" | "Access denied" | "Not found" | "Task not found" | "Comment not found" | "Agent not found" | "Session not found" | "Run not found" | "Method not allowed" | "Link expired" | "Precondition failed" | "Payload too large" | "Unsupported media type" | "Not implemented" | "Idempotency key reused" | "Headers too large" | "Rate Limited" | "Database error" | "Query error" | "Failed to list tasks" | "Failed to create task" | "Failed to get task" | "Failed to update task" | "Failed to delete task" | "Failed to assign task" | "Failed to change tasks" | "Failed to list comments" | "Failed to create comment" | "Failed to update comment" | "Failed to delete comment" | "Failed to list audit logs" | "RENDER_ERROR" | "PNG_ENCODE_ERROR" | "PDF_SAVE_ERROR" | "Server Error" | "Overloaded";
        /**
         * @description A date or date-time of ISO 8601, such as `2026-12-31` or `2026-12-31T09:30:00Z`. A date means its first moment;
         *     without a zone, UTC is meant. An empty value filters nothing.
         */
        DateOrTimestamp: string;
        /**
         * @description Text with at least one visible character. White space around it is removed. The text is not normalized: a letter
         *     in NFC differs from the same letter in NFD, except in `q`.
         */
        TaskTitle: string;
        /**
         * @description Any text that is not blank; `todo`, `in_progress`, `blocked`, `done` and `cancelled` are well-known. Null or empty
         *     means the default, `todo`.
         */
        TaskStatus: string | null;
        /** @description An id, a name or a label. Empty counts as null. */
        ShortText: string | null;
        /** @description Free text. Empty counts as null. */
        LongText: string | null;
        /** @description The fields of a task that a caller can write. */
        TaskFields: {
            title?: components["schemas"]["TaskTitle"];
            workspace_id?: components["schemas"]["ShortText"];
            description?: components["schemas"]["LongText"];
            status?: components["schemas"]["TaskStatus"];
            /**
             * @description A label, a number or a boolean, kept as text. Null or empty means the default, `none`. Numbers beyond these limits
             *     are not exact in JSON; send them as text.
             */
            priority?: string | number | boolean | null;
            assignee_id?: components["schemas"]["ShortText"];
            /** @description The kind of assignee, for example `human` or `agent`. Empty counts as null. */
            assignee_type?: components["schemas"]["ShortText"];
            assignee_name?: components["schemas"]["ShortText"];
            /**
             * @description Any text, returned as it was sent. The due filters and the order by due date use only dates and date-times of
             *     ISO 8601, and date-times of RFC 9557 such as `2026-11-28T10:00:00+01:00[Europe/Berlin]`, whose offset decides.
             */
            due_date?: string | null;
            /** @description A comma-separated list or JSON array of up to 50 tags, kept as one string. */
            tags?: string | null;
            metadata?: components["schemas"]["LongText"];
        };
        /** @description A new task; only its title is required. */
        TaskCreate: components["schemas"]["TaskFields"] & {
            title: components["schemas"]["TaskTitle"];
        };
        /** @description The fields to change. */
        TaskUpdate: components["schemas"]["TaskFields"];
        /** @description The assignee fields to set. */
        TaskAssignment: {
            /** @description The kind of assignee, for example `human` or `agent`. Empty counts as null. */
            assignee_type?: components["schemas"]["ShortText"];
            assignee_id?: components["schemas"]["ShortText"];
            assignee_name?: components["schemas"]["ShortText"];
        };
        /** @description A task. */
        Task: {
            /**
             * Format: uuid
             * @description Unique task identifier (UUIDv7).
             */
            id: string;
            /** @description Owner identifier. */
            user_id: string;
            /** @description Optional workspace identifier. */
            workspace_id: string | null;
            title: string;
            description: string | null;
            status: string;
            /** @description Always a string, even when a number was sent. */
            priority: string;
            /** @description Id of the assigned user or agent. */
            assignee_id: string | null;
            /** @description Kind of assignee, for example human or agent. */
            assignee_type: string | null;
            /** @description Display name of the assignee. */
            assignee_name: string | null;
            due_date: string | null;
            /** @description Comma-separated list or JSON array of tags, as text. */
            tags: string | null;
            /** @description Serialized metadata. */
            metadata: string | null;
            /**
             * Format: date-time
             * @description When the status became `done`; null while the task has another status.
             */
            completed_at: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            /** @description The `ETag` of this version of the task, for `If-Match`. */
            etag: string;
        };
        TaskEnvelope: {
            task: components["schemas"]["Task"];
        };
        TaskList: {
            tasks: components["schemas"]["Task"][];
            /** @description All matches, whatever limit and offset. */
            count: number;
        };
        /** @description Up to 100 operations on tasks, in all three lists together. */
        TaskBatch: {
            /** @default [] */
            create: components["schemas"]["TaskCreate"][];
            /** @default [] */
            update: components["schemas"]["BatchUpdate"][];
            /** @default [] */
            delete: components["schemas"]["BatchDelete"][];
        };
        /** @description The fields to change in a task, as for an update of the task alone. */
        BatchUpdate: components["schemas"]["TaskFields"] & components["schemas"]["BatchDelete"];
        /** @description A task of a batch. */
        BatchDelete: {
            /** @description The task's id. */
            id: string;
            /** @description Act only if the task has this `etag`, or one of several as in `If-Match`; otherwise 412. */
            if_match?: string;
        };
        /** @description The result of each operation, in the order of the request. */
        BatchResults: {
            create: components["schemas"]["BatchResult"][];
            update: components["schemas"]["BatchResult"][];
            delete: components["schemas"]["BatchResult"][];
        };
        /** @description The result of one operation, as if it had been sent alone. */
        BatchResult: {
            /** @description The status of the response. */
            status: number;
            /** @description The task after the operation; null if it was refused or deleted. */
            task: components["schemas"]["Task"] | null;
            /** @description Why the operation was refused; null if it was not. */
            error: components["schemas"]["BatchError"] | null;
        };
        BatchError: {
            code: components["schemas"]["ErrorCode"];
            /** @description What went wrong and what to do about it. */
            detail: string;
        };
        /** @description Numbers of tasks. Each list begins with its largest number and has at most 1000 entries. */
        TaskCounts: {
            /** @description The number of all tasks that match. */
            count: number;
            by_status: {
                status: string;
                count: number;
            }[];
            by_workspace: {
                /** @description Null for tasks without a workspace. */
                workspace_id: string | null;
                count: number;
            }[];
        };
        /** @description The task that was deleted. */
        DeletedTask: {
            /** Format: uuid */
            id: string;
            /** @constant */
            deleted: true;
        };
        /** @description The text of a comment. */
        CommentCreate: {
            body: string;
        };
        /** @description A comment on a task. */
        Comment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            task_id: string;
            body: string;
            /** @description The identifier of the caller or agent who wrote it. */
            author_id: string;
            /** @description A display value for the author. */
            author_name: string;
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the author last changed the text; null if never.
             */
            updated_at: string | null;
        };
        /** @description The comment that was deleted. */
        DeletedComment: {
            /** Format: uuid */
            id: string;
            /** @constant */
            deleted: true;
        };
        /**
         * @description Who acted.
         * @enum {string}
         */
        ActorType: "human" | "agent";
        /** @description A recorded change of a task. */
        AuditLogEntry: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            task_id: string;
            action: components["schemas"]["AuditAction"];
            actor_type: components["schemas"]["ActorType"];
            actor_id: string;
            payload: components["schemas"]["AuditPayload"];
            created_at: components["schemas"]["Timestamp"];
        };
        /** @enum {string} */
        AuditAction: "create" | "update" | "assign" | "comment" | "update_comment" | "delete_comment" | "delete";
        /** @description JSON text of AuditDetails. */
        AuditPayload: string;
        /**
         * @description After `create`, the fields that were set. After `update` and `assign`, `changes`. After `comment` and
         *     `delete_comment`, `id` and `body` of the comment. After `update_comment`, its `id`, and `changes`. After `delete`,
         *     the last state of the task, or nothing once the server has deleted the log.
         */
        AuditDetails: {
            /** @description The changed fields with their values before and after. */
            changes?: {
                [key: string]: {
                    from: string | number | boolean | null;
                    to: string | number | boolean | null;
                };
            };
            /** @description The user for whom an agent acted. */
            on_behalf_of?: string;
            /** @description The session in which an agent acted. */
            session_id?: string;
            /** @description The user who approved the call of the agent, if it needed an approval. */
            approved_by?: string;
            /**
             * @description Present if that user changed the arguments of the call.
             * @constant
             */
            arguments_edited?: true;
            /**
             * @description Present if a program acted for the user through MCP.
             * @constant
             */
            via?: "mcp";
            /** @description The name that the program gives itself, if it gives one. */
            client?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An audit entry, with the workspace of its task after the change and its position in the list of changes. */
        Change: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            task_id: string;
            workspace_id: string | null;
            action: components["schemas"]["AuditAction"];
            actor_type: components["schemas"]["ActorType"];
            actor_id: string;
            payload: components["schemas"]["AuditPayload"];
            created_at: components["schemas"]["Timestamp"];
            /** @description The `ETag` of the task after the change; null after its deletion. */
            etag: string | null;
            /** @description The position of this change, for `after`. */
            cursor: string;
            /** @description The task, if `include` asks for it; null if it has been deleted. */
            task?: components["schemas"]["Task"] | null;
            /**
             * @description True if the event of a stream would exceed 64 KiB of JSON. Then `description` and `metadata` of the `task` are
             *     null. If that is not enough, `payload` is `{}`. To get them, read the task, or list one change after the `id`
             *     of the previous event. Absent in pages.
             */
            truncated?: boolean;
        };
        ChangeList: {
            changes: components["schemas"]["Change"][];
            /** @description Where the next page begins, for `after`. Without a further change, the next page is empty. */
            next: string;
        };
        /** @description One event of the stream of changes. The first one is `ready`, with the position at which the stream begins. */
        ChangeEvent: {
            /** @constant */
            event: "ready";
            /** @description The position at which the stream begins. */
            id: string;
            data: components["schemas"]["StreamStart"];
        } | {
            /** @constant */
            event: "change";
            /** @description The `cursor` of the change. */
            id: string;
            data: components["schemas"]["Change"];
        };
        StreamStart: {
            cursor: string;
        };
        /** @description The state of chart rendering, with its formats. */
        VizStatus: {
            /** @constant */
            status: "ok";
            /** @constant */
            service: "viz";
            renders: ("svg" | "png" | "pdf")[];
        };
        /** @description A label and its value. */
        DataPoint: {
            label: string;
            /**
             * @description Null is a gap, which a line crosses with dots. A pie takes neither null nor a negative number. Numbers are
             *     from -1e300 to 1e300.
             */
            value: number | null;
        };
        /** @description Values with a name and a color. */
        ChartSeries: {
            name: string;
            /**
             * @description Draws the series in grey, so that it uses up no color of the theme. Use it for a plan, a target or an earlier
             *     year.
             */
            muted?: boolean;
            data: components["schemas"]["DataPoint"][];
        };
        ReferenceLine: {
            value: number;
            label?: string;
        };
        /** @description A chart to render: its type, data, size and colors. */
        ChartRequest: {
            /**
             * @default bar
             * @enum {string}
             */
            chart_type: "bar" | "line" | "pie";
            /** @description Chart title. */
            title?: string | null;
            /** @description A line under the title. */
            subtitle?: string | null;
            /** @description A line at the bottom. */
            source?: string | null;
            /**
             * @description Pixels.
             * @default 800
             */
            width: number;
            /**
             * @description Pixels.
             * @default 600
             */
            height: number;
            /**
             * @description Pixels of a PNG for each pixel of `width`. Width and height times the scale are at most 4096. SVG and PDF
             *     ignore it.
             * @default 1
             */
            scale: number;
            /** @description Points to plot. Without points, the chart says "No data". Required unless `series` has the data. */
            data?: components["schemas"]["DataPoint"][];
            /**
             * @description Several values for each label, instead of `data`. Names are at the ends of lines, next to the last stack, or
             *     in a legend. The labels are in an order that agrees with every series, if there is one. A label without a
             *     point is a gap, except in lines over time. If a series repeats a label, each repetition is a label of its own.
             *     At most 20,000 points in total, which must fit into a body of 1 MiB.
             */
            series?: components["schemas"]["ChartSeries"][];
            /** @description The order of the labels of `data` or `series`. Other labels follow. */
            labels?: string[];
            /**
             * @description Stacks the bars of `series`, or its areas. Negative values are stacked downwards from zero.
             * @default false
             */
            stacked: boolean;
            /** @description Fills the lines of a line chart to zero. With `stacked`, null counts as zero. */
            area?: boolean;
            /** @description Draws a pie as a ring, with its sum in the middle. */
            donut?: boolean;
            /**
             * @description Horizontal bars have room for long or many labels. Labels are at the left of the bars, the first at the top.
             *     `x_title` still names the category axis.
             * @default vertical
             * @enum {string}
             */
            orientation: "vertical" | "horizontal";
            /**
             * @description CSS colors instead of the theme's. They may be names, hex with 3, 4, 6 or 8 digits, rgb(), rgba(), hsl() and
             *     hsla(). Colors repeat if there are fewer than points or series.
             */
            colors?: string[];
            /**
             * @description The CSS color of bars below zero, for bars of one series. Without `colors`, the default is the theme's second
             *     color.
             */
            negative_color?: string;
            /** @description The title of the category axis. A pie has no axes. */
            x_title?: string | null;
            /**
             * @description Whether labels are times. With `auto`, they are times if all are ISO 8601 dates or date-times such as
             *     `2026-01`, `2026-Q1` or `2026-01-31T18:30+01:00`. Points are placed by time. Bars have a gap for each missing
             *     time, if distances are regular and at most three of four places stay empty.
             * @default auto
             * @enum {string}
             */
            x_type: "auto" | "time" | "category";
            /**
             * @description The IANA time zone in which times are shown, such as `Europe/Berlin`. Without it, labels that all have the same
             *     offset keep their wall time, and other times are shown in UTC.
             */
            time_zone?: string;
            /** @description The title of the value axis. */
            y_title?: string | null;
            /** @description Where the value axis begins, at most 1e300 from zero. With bars and areas, the axis must still include zero. */
            y_min?: number;
            /** @description Where the value axis ends, at most 1e300 from zero. Values outside are cut off. */
            y_max?: number;
            /**
             * @description `log` has equal distances for equal ratios. All values must be above zero, and bars start at the lower end.
             * @enum {string}
             */
            y_scale?: "linear" | "log";
            /**
             * @description `auto` leaves out the numbers of the value axis if every value is written, and the axis has no limits,
             *     logarithms or unlabelled `lines`. A small line chart without `lines` also omits them if its axis begins at
             *     zero and its last value is in large digits; it then has only its first and last label. `none` draws no axes.
             * @enum {string}
             */
            axes?: "auto" | "none";
            /**
             * @description Reference lines across the plot, at most 1e300 from zero. The axis includes them, unless its limits exclude
             *     them.
             */
            lines?: components["schemas"]["ReferenceLine"][];
            /**
             * @description A BCP 47 language tag, such as `de` or `pt-BR`. It decides how numbers and times are written, and in which
             *     language the words of a chart are.
             * @default en
             */
            locale: string;
            /**
             * @description How values are written; as percent, 0.25 is 25%. `number` has no short units, `compact` has them (1.2M), and
             *     `currency` writes amounts of `currency`. Without a format, short units are used where they hide no difference.
             * @enum {string}
             */
            format?: "number" | "compact" | "percent" | "currency";
            /** @description An ISO 4217 code, such as EUR, for the format currency. */
            currency?: string;
            /** @description Text directly after each value, such as " ms" or "°C". In charts with axes, a unit of more than two letters stands once, under the title, and so does a long unit of millions or more, such as "Mio. €". Differences of less than a hundredth of such a unit are not shown. */
            unit?: string;
            /** @description The decimals of every value. Ticks have more where their steps need them. */
            decimals?: number;
            /**
             * @description Which values are written. `auto`: the values of bars and the sums of stacks, if all fit; the shares of slices;
             *     and the last value of each line or named stack, unless points are closer than about 4 pixels. Sums are left
             *     out if all are equal, or if a stack has values above and below zero. `always`: also the values of points,
             *     parts of stacks and slices, as many as fit. `last`: the last value of each line, however close its points are;
             *     only for line charts.
             * @enum {string}
             */
            values?: "auto" | "always" | "never" | "last";
            /**
             * @description The colors of background, text and data. `auto` is light, and dark in an SVG whose reader prefers dark pages. An
             *     opaque `background` decides whether text is dark or light.
             * @default light
             * @enum {string}
             */
            theme: "light" | "dark" | "auto";
            /**
             * @description A CSS color, or `transparent`, instead of the theme's. Text on it has a contrast of at least 4.5 to 1. Behind
             *     a translucent background, the theme's own background is assumed, or white in a PDF.
             */
            background?: string;
        };
        SvgImage: {
            /** @description The SVG markup. */
            svg: string;
        };
        PngImage: {
            png_base64: string;
        };
        PdfImage: {
            pdf_base64: string;
        };
        /** @description A chart, with the format and expiry of its address. */
        ChartLinkRequest: {
            chart: components["schemas"]["ChartRequest"];
            /**
             * @description The format of the picture.
             * @default png
             * @enum {string}
             */
            format: "svg" | "png" | "pdf";
            /**
             * @description Seconds until the address expires, at most 366 days.
             * @default 2592000
             */
            expires_in: number;
        };
        /** @description The address of a chart. */
        ChartLink: {
            /**
             * Format: uri
             * @description Begins with the server's `PUBLIC_URL`, or, if that is not set, with the address that the request was sent to.
             */
            url: string;
            expires_at: components["schemas"]["Timestamp"];
        };
        /** @description An agent: its instructions, skills and runtime. */
        Agent: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description `active` if the runtime of the agent is configured on this server.
             * @enum {string}
             */
            status: "active" | "unavailable";
            created_at: components["schemas"]["Timestamp"];
            runtime: string;
            skills: string[];
            approvals: components["schemas"]["ToolName"][];
            instructions: string | null;
            model_options: components["schemas"]["ModelOptions"];
            /**
             * @description At most ten warnings: about a `runtime` that this server does not have, names in `skills` and `approvals` that
             *     have no effect here, and skills whose MCP server did not list its tools when last asked. `GET /v1/runtimes`
             *     lists what this server has.
             */
            warnings: components["schemas"]["AgentWarning"][];
        };
        /** @description Why an agent cannot run, or may lack tools or approvals. */
        AgentWarning: {
            /** @enum {string} */
            code: "unknown_runtime" | "unknown_skill" | "unavailable_skill" | "unknown_tool";
            /** @description A sentence to show. */
            detail: string;
        };
        AgentList: {
            agents: components["schemas"]["Agent"][];
        };
        /** @description The fields of a new agent. */
        AgentCreate: {
            name: components["schemas"]["AgentName"];
            runtime?: components["schemas"]["RuntimeName"];
            /** @default [] */
            skills: components["schemas"]["SkillName"][];
            /** @default [] */
            approvals: components["schemas"]["ToolName"][];
            instructions?: components["schemas"]["AgentInstructions"];
            model_options?: components["schemas"]["ModelOptions"];
        };
        /** @description The fields to change. */
        AgentUpdate: {
            name?: components["schemas"]["AgentName"];
            runtime?: components["schemas"]["RuntimeName"];
            skills?: components["schemas"]["SkillName"][];
            approvals?: components["schemas"]["ToolName"][];
            instructions?: components["schemas"]["AgentInstructions"];
            model_options?: components["schemas"]["ModelOptions"];
        };
        /** @description Text with at least one visible character. White space around it is removed. */
        AgentName: string;
        /** @description Null or a blank text selects the default of the server, as does an absent field in a new agent. */
        RuntimeName: string | null;
        /**
         * @description A skill whose tools the agent has: `tasks`, `tasks:read`, `viz`, or `mcp:<name>` for an MCP server that the operator
         *     has configured. An unknown name only adds a warning to the agent.
         */
        SkillName: string;
        /**
         * @description A tool whose calls wait for a decision of the user; `*` stands for all. An unknown name only adds a warning to the
         *     agent. Calls of `delete_task` always wait. For the tools of an MCP server, the operator may require approvals too.
         */
        ToolName: string;
        /** @description What the agent should do and how. Blank counts as null. */
        AgentInstructions: string | null;
        /**
         * @description How the model of the agent writes. An absent option has the model server's default. The built-in runtime ignores
         *     them all.
         */
        ModelOptions: {
            /** @description The sampling temperature. Higher values vary the words more. */
            temperature?: number;
            /** @description The token limit of a model step, including its thoughts. A longer answer is cut off as `incomplete`. */
            max_output_tokens?: number;
            /**
             * @description How long the model thinks. Model servers refuse values that they do not know.
             * @enum {string}
             */
            reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh";
        };
        DeletedAgent: {
            /** Format: uuid */
            id: string;
            /** @constant */
            deleted: true;
        };
        RuntimeList: {
            runtimes: components["schemas"]["Runtime"][];
            skills: components["schemas"]["Skill"][];
        };
        /** @description A runtime that agents can have: the built-in one, or a model server. */
        Runtime: {
            /** @description The name by which agents select it. */
            name: string;
            model: string | null;
            /** @description True for the runtime of agents that name none. */
            is_default: boolean;
            state: components["schemas"]["RuntimeState"];
        };
        /**
         * @description The outcome of the last step that this server has requested from the runtime: `ready` if it was answered,
         *     `failing` if not, and `unknown` before the first step. The server sends no request only to find out.
         * @enum {string}
         */
        RuntimeState: "ready" | "failing" | "unknown";
        /** @description A skill that agents can have. */
        Skill: {
            name: string;
            tools: components["schemas"]["SkillTool"][];
            /**
             * @description Why the tools of an MCP server cannot be listed, as a sentence. `tools` then has its last known tools, if any.
             *     Null if they can be listed.
             */
            problem: string | null;
        };
        /** @description A tool that a skill gives to models. */
        SkillTool: {
            name: string;
            description: string;
            /** @description The JSON Schema of the arguments, from which a form for an approval can be made. */
            parameters: {
                [key: string]: unknown;
            };
            /** @description True if calls wait for the approval of the user, whatever the `approvals` of the agent are. */
            needs_approval: boolean;
        };
        /** @description The input of a run and its context, such as the session. */
        RunRequest: {
            /** @description The message to the agent. */
            input: string;
            context?: components["schemas"]["RunContext"];
        };
        /**
         * @description Any keys, at most 64 KiB as JSON. The server reads `session_id`, `task_id` and `workspace_id`. The runtime receives
         *     all keys except `session_id` as data, and the task that `task_id` names.
         */
        RunContext: {
            /** @description The session to continue. It is created if the caller has no session with this id. */
            session_id?: string;
            /** @description A task of the caller to load for the agent. */
            task_id?: string;
            /** @description The workspace of tasks that the agent creates, unless it specifies another. */
            workspace_id?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The number of tokens, as the runtime reports it. */
        Usage: {
            input_tokens: number;
            output_tokens: number;
        };
        /** @description Why a run failed. */
        RunError: {
            /**
             * @description `model_unavailable` if the model server was busy or unreachable until the time limit of the run.
             *     `runtime_error` is any failure of the runtime that has no code of its own. `invalid_option` if the model
             *     server refuses an option of the agent, which the message names. `max_steps` if the model wrote no text at the
             *     limit of its steps. `token_limit` if the user has used the tokens of models that the operator allows in a day.
             * @enum {string}
             */
            code: "runtime_error" | "timeout" | "max_steps" | "interrupted" | "context_length_exceeded" | "model_not_found" | "insufficient_quota" | "tools_not_supported" | "invalid_option" | "model_unavailable" | "token_limit";
            message: string;
        };
        /** @description Why the answer of a model is not complete. */
        IncompleteDetails: {
            /**
             * @description `max_output_tokens` if the answer reached the limit of the model or of the operator. `content_filter` if the model
             *     server withheld the rest of the answer. `interrupted` if the model server ended the answer for another reason.
             *     `max_steps` if the model had to answer before it was done, because the run reached the limit of its steps.
             * @enum {string}
             */
            reason: "max_output_tokens" | "content_filter" | "interrupted" | "max_steps";
        };
        /** @description One turn of an agent, finished or not. */
        Run: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            agent_id: string;
            session_id: string;
            status: components["schemas"]["RunStatus"];
            output: string | null;
            error: components["schemas"]["RunError"] | null;
            /** @description Null unless the status is `incomplete`. */
            incomplete_details: components["schemas"]["IncompleteDetails"] | null;
            /** @description Null unless the status is `requires_action`. */
            required_action: components["schemas"]["RequiredAction"] | null;
            /** @description Null if the runtime reports none. */
            usage: components["schemas"]["Usage"] | null;
            runtime: string;
            model: string | null;
            created_at: components["schemas"]["Timestamp"];
            completed_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description True if the event of a stream would exceed 64 KiB of JSON. Then `output` is null. If that is not enough,
             *     `required_action` is null too. To get them, read the run. Absent outside streams.
             */
            truncated?: boolean;
        };
        /**
         * @description `requires_action` while tool calls wait for decisions of the user. `incomplete` if the model's answer was cut off; the
         *     output is what it wrote until then. A run that has `failed` because of its model server is `queued` again if the operator
         *     retries it.
         * @enum {string}
         */
        RunStatus: "queued" | "running" | "requires_action" | "completed" | "incomplete" | "failed" | "cancelled";
        RunList: {
            runs: components["schemas"]["Run"][];
        };
        /** @description The tool calls that wait for decisions of the user, to be sent with `decideToolCalls`. */
        RequiredAction: {
            tool_calls: components["schemas"]["ToolCall"][];
            /** @description The calls that are undecided at this time are rejected within a minute. */
            expires_at: components["schemas"]["Timestamp"];
        };
        ToolCallDecisions: {
            decisions: components["schemas"]["ToolCallDecision"][];
        };
        ToolCallDecision: {
            /** @description The id of a call in `required_action`. */
            tool_call_id: string;
            /** @description True executes the call; false rejects it. */
            approve: boolean;
            /**
             * @description All arguments of the call, instead of the model's. The model is informed that the user has changed them. Only
             *     with `approve: true`, and at most 64 KiB as JSON.
             */
            arguments?: {
                [key: string]: unknown;
            };
            /**
             * @description `session` also approves the other waiting calls of this tool in the run, and all its later calls in the
             *     session. The session's `approved_tools` then has the tool. Only with `approve: true`, and not for
             *     `delete_task`, because each of its calls waits.
             * @default once
             * @enum {string}
             */
            scope: "once" | "session";
            /** @description The reason. The model receives it if the call is rejected. */
            reason?: string | null;
        };
        /**
         * @description One event of the stream of a run. The last one is `run.completed`, `run.incomplete`, `run.failed`, `run.cancelled`
         *     or `run.requires_action`. With `until=finished`, the stream continues after `run.requires_action`. `run.waiting`
         *     says that the run waits for its model server. `run.warning` says that the agent may lack tools, as far as the
         *     sending process knows. Stored messages are sent as `message`. A delta is a preview of the next message.
         */
        RunEvent: {
            /** @enum {string} */
            event: "run.started" | "run.completed" | "run.incomplete" | "run.failed" | "run.cancelled" | "run.requires_action";
            data: components["schemas"]["Run"];
        } | {
            /** @constant */
            event: "message.delta";
            data: components["schemas"]["MessageDelta"];
        } | {
            /** @constant */
            event: "message";
            /** @description The sequence number of the message. */
            id: string;
            data: components["schemas"]["Message"];
        } | {
            /** @constant */
            event: "run.waiting";
            data: components["schemas"]["RunWaiting"];
        } | {
            /** @constant */
            event: "run.queued";
            data: components["schemas"]["QueuedRun"];
        } | {
            /** @constant */
            event: "run.warning";
            data: components["schemas"]["RunWarning"];
        };
        /**
         * @description One event of the stream of a session: a new message, or a run that is new or has changed. A message is sent once; a
         *     stream that is opened again repeats the state of runs.
         */
        SessionEvent: {
            /** @constant */
            event: "message";
            /** @description The sequence number of the message. */
            id: string;
            data: components["schemas"]["Message"];
        } | {
            /** @constant */
            event: "run";
            data: components["schemas"]["Run"];
        };
        /** @description The `warnings` of the agent of a run. Sent again when they change. */
        RunWarning: {
            /** Format: uuid */
            run_id: string;
            warnings: components["schemas"]["AgentWarning"][];
        };
        /** @description The run waits for its model server, and then asks it again. */
        RunWaiting: {
            /** Format: uuid */
            run_id: string;
            /**
             * @description `model_busy` if the model server has too much to do or loads the model, `model_unreachable` if it cannot be
             *     reached.
             * @enum {string}
             */
            reason: "model_busy" | "model_unreachable";
            /** @description The seconds until the model server is asked again. */
            retry_after_s: number;
        };
        /** @description A run that waits for an earlier run of its session. Sent again when the earlier run changes. */
        QueuedRun: {
            run: components["schemas"]["Run"];
            waits_for: {
                /** Format: uuid */
                run_id: string;
                status: components["schemas"]["RunStatus"];
            };
        };
        /**
         * @description The next piece of a message that the model is writing. To update the preview, keep its text up to `offset` and
         *     append `text`. Another `message_id` begins a new preview, because the model writes an interrupted response again.
         *     The `message` with this id replaces the preview.
         */
        MessageDelta: {
            /** Format: uuid */
            run_id: string;
            /** Format: uuid */
            message_id: string;
            /** @description The length of the text before the piece, in UTF-16 code units. */
            offset: number;
            text: string;
        };
        /** @description A conversation with an agent, with its latest run. */
        Session: {
            id: string;
            /** Format: uuid */
            agent_id: string;
            user_id: string;
            title: string | null;
            /** @description Serialized metadata. */
            metadata: string | null;
            /**
             * @description The tools that the user has approved for the rest of the session. A call waits nevertheless if an MCP server has
             *     changed its tool since.
             */
            approved_tools: string[];
            status: components["schemas"]["SessionStatus"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            message_count: number;
            /** @description The sum over the runs of the session; null if no run reported any. */
            usage: components["schemas"]["Usage"] | null;
            /** @description The latest run. */
            run: components["schemas"]["Run"] | null;
        };
        /** @description The fields to change. */
        SessionUpdate: {
            /** @description White space around it is removed. Null or empty means no title. */
            title?: string | null;
            metadata?: components["schemas"]["LongText"];
            /**
             * @description The approvals of the session to keep; an empty list revokes all. A run in progress then also asks before its
             *     next call of a revoked tool.
             */
            approved_tools?: string[];
        };
        /**
         * @description `requires_action` while a run of the session waits for decisions of the user. Otherwise `running` while its latest
         *     run is unfinished, `failed` if that run failed, and `idle` in all other cases.
         * @enum {string}
         */
        SessionStatus: "idle" | "running" | "requires_action" | "failed";
        SessionList: {
            sessions: components["schemas"]["Session"][];
        };
        DeletedSession: {
            id: string;
            /** @constant */
            deleted: true;
        };
        /** @description A call of one of the skills of the agent. */
        ToolCall: {
            id: string;
            name: string;
            arguments: {
                [key: string]: unknown;
            };
            decision?: components["schemas"]["RecordedDecision"];
        };
        /** @description What was decided about a call. Absent if the call is undecided, or needed no decision of its own. */
        RecordedDecision: {
            approve: boolean;
            /** @description The arguments in the decision, instead of the model's; null if the decision has none. */
            arguments: {
                [key: string]: unknown;
            } | null;
            /** @description The id of the user; null if nobody decided in time. */
            by: string | null;
            /** @description Null for decisions that an earlier version of the server has recorded. */
            at: components["schemas"]["Timestamp"] | null;
        };
        /** @description A file, such as a chart that the agent has drawn. */
        Attachment: {
            media_type: string;
            name: string;
            data_base64: string;
        };
        /** @description A message of a session. */
        Message: {
            /** Format: uuid */
            id: string;
            session_id: string;
            /** Format: uuid */
            run_id: string;
            /** @enum {string} */
            role: "user" | "assistant" | "tool";
            content: string;
            /** @description True if the run ended while the model was writing the message, or if the answer was cut off. */
            partial: boolean;
            tool_calls: components["schemas"]["ToolCall"][] | null;
            tool_call_id: string | null;
            is_error: boolean;
            attachments: components["schemas"]["Attachment"][] | null;
            actor_type: components["schemas"]["ActorType"];
            actor_id: string;
            created_at: components["schemas"]["Timestamp"];
            /**
             * @description True if the event of a stream would exceed 64 KiB of JSON. Then `attachments` is null; if that is not enough,
             *     `tool_calls` is null too, and then `content` is empty. To get them, list one message of the session with an
             *     `offset` of one less than the `id` of the event. Absent in pages.
             */
            truncated?: boolean;
        };
        MessageList: {
            messages: components["schemas"]["Message"][];
            /** @description The number of messages after `after`, independent of `limit` and `offset`. */
            count: number;
        };
    };
    responses: {
        /**
         * @description The request cannot be read, or a field or parameter has a value that is not allowed. Every offending
         *     field is listed with its JSON pointer.
         */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Bad Request",
                 *       "status": 400,
                 *       "detail": "Title must not be blank. There is 1 more in \"errors\".",
                 *       "code": "VALIDATION_ERROR",
                 *       "error": "VALIDATION_ERROR",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                 *       "errors": [
                 *         {
                 *           "pointer": "/title",
                 *           "code": "not_blank",
                 *           "detail": "Title must not be blank."
                 *         },
                 *         {
                 *           "pointer": "/tags",
                 *           "code": "too_long",
                 *           "detail": "Tags must not have more than 2000 characters."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The bearer token is missing, has expired or is not valid. If a token was sent, the code of `errors` is `expired`
         *     or `invalid`.
         */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Unauthorized",
                 *       "status": 401,
                 *       "detail": "Send a valid token in the Authorization header, as \"Bearer <token>\".",
                 *       "code": "Unauthorized",
                 *       "error": "Unauthorized",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The task has changed since the version named by `If-Match`, or matches `If-None-Match`. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Precondition Failed",
                 *       "status": 412,
                 *       "detail": "The task has changed since the version named by If-Match. Read it again and repeat the change.",
                 *       "code": "Precondition failed",
                 *       "error": "Precondition failed",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Payload Too Large",
                 *       "status": 413,
                 *       "detail": "The body is larger than 1048576 bytes. Send a smaller one.",
                 *       "code": "Payload too large",
                 *       "error": "Payload too large",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not JSON in UTF-8, or its `Content-Encoding` is not supported. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Unsupported Media Type",
                 *       "status": 415,
                 *       "detail": "The body must be JSON in UTF-8. Send it with Content-Type application/json.",
                 *       "code": "Unsupported media type",
                 *       "error": "Unsupported media type",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The `Idempotency-Key` was used for a different request. */
        KeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Unprocessable Entity",
                 *       "status": 422,
                 *       "detail": "This Idempotency-Key was used for a different request. Choose a new key for each new request.",
                 *       "code": "Idempotency key reused",
                 *       "error": "Idempotency key reused",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The server has more work than it can queue, other requests change the same data for too long, the database is not
         *     available, or the keys of the token issuer cannot be fetched. Nothing was done, with two exceptions. If `run_id`
         *     names a run, the run continues. If the database did not answer, the effect of a request with an `Idempotency-Key`
         *     is unknown; sent again, it takes effect once.
         */
        Overloaded: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Service Unavailable",
                 *       "status": 503,
                 *       "detail": "The server has more work than it can queue, or you use your whole share. Try again after the time in Retry-After, or close streams that you do not need.",
                 *       "code": "Overloaded",
                 *       "error": "Overloaded",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server failed. */
        CallerFailure: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Internal Server Error",
                 *       "status": 500,
                 *       "detail": "The server failed. Tell the operator and name the request_id.",
                 *       "code": "Server Error",
                 *       "error": "Server Error",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The task belongs to another user. */
        AccessDenied: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Forbidden",
                 *       "status": 403,
                 *       "detail": "This task belongs to another user. Only its owner can use it.",
                 *       "code": "Access denied",
                 *       "error": "Access denied",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No task has the given id. */
        TaskNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Not Found",
                 *       "status": 404,
                 *       "detail": "No task has this id. List the tasks to see which there are.",
                 *       "code": "Task not found",
                 *       "error": "Task not found",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The task belongs to another user, or somebody else wrote the comment, such as an agent. */
        CommentAccessDenied: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Forbidden",
                 *       "status": 403,
                 *       "detail": "Somebody else wrote this comment. Only its author can change or delete it.",
                 *       "code": "Access denied",
                 *       "error": "Access denied",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No task has the given id (`Task not found`), or the task has no such comment (`Comment not found`). */
        CommentNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Not Found",
                 *       "status": 404,
                 *       "detail": "The task has no comment with this id. List its comments to see which there are.",
                 *       "code": "Comment not found",
                 *       "error": "Comment not found",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The database failed (`Database error`) or rejected a statement (`Query error`), or the server failed (a code that
         *     starts with `Failed to`).
         */
        TaskFailure: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Internal Server Error",
                 *       "status": 500,
                 *       "detail": "The database cannot be reached or has failed. Try again later.",
                 *       "code": "Database error",
                 *       "error": "Database error",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No server of this service has signed the address. */
        LinkNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Not Found",
                 *       "status": 404,
                 *       "detail": "This service has not made this address, or a part of it is missing. Copy it as it was returned.",
                 *       "code": "Not found",
                 *       "error": "Not found",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The address has expired. */
        LinkExpired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Gone",
                 *       "status": 410,
                 *       "detail": "The address of this chart has expired. Create a new one.",
                 *       "code": "Link expired",
                 *       "error": "Link expired",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request cannot be read, has a value that is not allowed (`VALIDATION_ERROR`), or has a text that XML cannot
         *     represent (`SVG_PARSE_ERROR`, on all operations that take a chart).
         */
        ChartRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Bad Request",
                 *       "status": 400,
                 *       "detail": "The SVG cannot be parsed. Title has a character that XML does not allow. Remove it.",
                 *       "code": "SVG_PARSE_ERROR",
                 *       "error": "SVG_PARSE_ERROR",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                 *       "errors": [
                 *         {
                 *           "pointer": "/title",
                 *           "code": "unsupported_character",
                 *           "detail": "Title has a character that XML does not allow."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Layout or painting failed (`RENDER_ERROR`), encoding the PNG failed (`PNG_ENCODE_ERROR`) or writing the PDF
         *     failed (`PDF_SAVE_ERROR`).
         */
        ChartFailure: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Internal Server Error",
                 *       "status": 500,
                 *       "detail": "The chart could not be rendered. Try again, and tell the operator if it keeps failing.",
                 *       "code": "RENDER_ERROR",
                 *       "error": "RENDER_ERROR",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller has no run with this id. */
        RunNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Not Found",
                 *       "status": 404,
                 *       "detail": "You have no run with this id. The response that started a run has its id.",
                 *       "code": "Run not found",
                 *       "error": "Run not found",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller has no agent with this id. */
        AgentNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Not Found",
                 *       "status": 404,
                 *       "detail": "You have no agent with this id. List the agents to see which there are.",
                 *       "code": "Agent not found",
                 *       "error": "Agent not found",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller has no session with this id. */
        SessionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Not Found",
                 *       "status": 404,
                 *       "detail": "You have no session with this id. A run names its session in session_id.",
                 *       "code": "Session not found",
                 *       "error": "Session not found",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The caller exceeded a rate limit, has used up the model tokens that the operator allows in a day, or has too many
         *     unfinished runs. If some of these wait for decisions of the caller, `waiting_run_ids` names the first five.
         */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Too Many Requests",
                 *       "status": 429,
                 *       "detail": "Too many requests. Try again after the time in Retry-After.",
                 *       "code": "Rate Limited",
                 *       "error": "Rate Limited",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server failed. A failed run is not a server error: it is returned with its `error`. */
        AgentFailure: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "about:blank",
                 *       "title": "Internal Server Error",
                 *       "status": 500,
                 *       "detail": "The server failed. Tell the operator and name the request_id.",
                 *       "code": "Server Error",
                 *       "error": "Server Error",
                 *       "request_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Makes a retry safe. The response to a successful request is stored for 24 hours. If the caller repeats the request
         *     with the same key, it gets this response again, with `Idempotency-Replayed: true`. A failure is not stored.
         */
        IdempotencyKey: string;
        /**
         * @description Entity tags, or `*` for any. The task changes only if its `ETag` is one of them; otherwise the response is 412. A
         *     weak tag matches too, because a proxy that compresses a response makes its tag weak.
         */
        IfMatch: string;
        /**
         * @description A list of entity tags, or `*` for any. If the list has the task's `ETag`, a read gets 304 without a body, and a change
         *     gets 412.
         */
        IfNoneMatch: string;
        /**
         * @description Page size. A value above 1000 counts as 1000. A page may have fewer entries: it ends with the entry that reaches 2
         *     MiB of JSON, and `Link` continues after it.
         */
        PageLimit: number;
        /**
         * @description Page size. A value above 1000 counts as 1000. A page may have fewer entries: it ends with the entry that reaches 2
         *     MiB of JSON, and `Link` continues after it.
         */
        PageLimitDefault1000: number;
        /** @description How many entries to skip. Creating or deleting entries shifts the pages, unless you use `cursor`. */
        Offset: number;
        /**
         * @description An opaque position, from the `rel="next"` of `Link`; the page begins after it. A cursor is valid only with the
         *     same list, filters and order, and an `offset` of 0 (else 400). It stays valid if its entry is deleted or moved.
         */
        Cursor: string;
        /**
         * @description The task's id. A malformed id is 404, like any unknown id.
         * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
         */
        TaskId: string;
        /**
         * @description The comment's id. A malformed id is 404, like any unknown id.
         * @example 019aa5f4-02d1-7c55-8a31-5f0f3f6d9e21
         */
        CommentId: string;
        /** @description Only tasks of the named workspaces. */
        WorkspaceFilter: components["schemas"]["FilterTexts"];
        /** @description Only tasks with the named statuses, such as `todo`, `in_progress`, `blocked`, `done` or `cancelled`. */
        StatusFilter: components["schemas"]["FilterTexts"];
        /** @description The `id` of the last event that a client of the stream has received. */
        LastEventId: string;
        /**
         * @description The agent's id.
         * @example 019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c
         */
        AgentId: string;
        /**
         * @description The session's id.
         * @example 019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e
         */
        SessionId: string;
        /**
         * @description The run's id.
         * @example 019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d
         */
        RunId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Names this request in the server's log. A well-formed `X-Request-Id` of the request is kept.
         * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
         */
        RequestId: string;
        /**
         * @description How to authenticate (RFC 6750). `error` and `error_description` are present if a token was sent.
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description The next and the previous page (RFC 8288), where there is one. `next` has a `cursor`. Following `next` reaches
         *     each entry that keeps its position exactly once, even if other entries are deleted or stop matching. An entry that
         *     is created in the part of the list that was already read, or moves there, is not reached. An entry that moves from
         *     there to the rest of the list is reached again. `prev` exists only for a page with an `offset`. The header is left
         *     out if the filters are longer than about 3,800 characters; then continue with `offset`.
         */
        Link: string;
        /**
         * @description Strong validator of this version of the task (RFC 9110), as in its field `etag`. It is random, so a database
         *     restored from a backup does not reuse it for another version.
         * @example "rPh3vQd0aX7k"
         */
        ETag: string;
        /**
         * @description The `ETag` of the changed task.
         * @example "Zt9xW1mYqe4B"
         */
        NewETag: string;
        /**
         * @description Present if this is the stored response of an earlier request with the same key.
         * @example true
         */
        IdempotencyReplayed: "true";
        /** @description The requests that are left and the seconds until the limit is reset (IETF draft on RateLimit headers). */
        RateLimit: string;
        /** @description The limits in force (IETF draft on RateLimit headers). */
        RateLimitPolicy: string;
        /**
         * @description A stream is never cached.
         * @example no-store
         */
        CacheControl: string;
        /**
         * @description A proxy must pass each event on as it arrives. nginx buffers responses without this header.
         * @example no
         */
        AccelBuffering: string;
        /**
         * @description The preference of the request that was applied (RFC 7240), if there was one.
         * @example respond-async
         */
        PreferenceApplied: string;
        /**
         * @description The path of the task.
         * @example /api/tasks/019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
         */
        TaskLocation: string;
        /**
         * @description The path of the comments of the task.
         * @example /api/tasks/019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57/comments
         */
        CommentsLocation: string;
        /**
         * @description Weak validator of the picture (RFC 9110), because a later version of the server may draw the chart differently.
         * @example W/"Zk3oP0Yb0p5JyTxg2h1sVQ"
         */
        LinkETag: string;
        /**
         * @description Anybody may keep the picture until the address expires.
         * @example public, max-age=604800
         */
        LinkCacheControl: string;
        /**
         * @description Allows the styles of an SVG that is opened by itself.
         * @example default-src 'none';style-src 'unsafe-inline';frame-ancestors 'none'
         */
        LinkPolicy: string;
        /**
         * @description Pages of all origins may show the picture.
         * @example cross-origin
         */
        LinkOrigins: "cross-origin";
        /**
         * @description Strong validator of the picture (RFC 9110); absent from JSON.
         * @example "Zk3oP0Yb0p5JyTxg2h1sVQ"
         */
        PictureETag: string;
        /** @description Shows the picture in a browser, and names the file for saving it; absent from JSON. */
        PictureDisposition: string;
        /**
         * @description Present if the server has no font for some characters of the chart, which are drawn as boxes: their number, and
         *     the code points of the first eight. An SVG is drawn with the fonts of its viewer.
         * @example 2; U+4E2D, U+6587
         */
        ChartMissingGlyphs: string;
        /**
         * @description The path of the run.
         * @example /v1/runs/019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d
         */
        RunLocation: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listTasks: {
        parameters: {
            query: {
                /** @description Only tasks of the named workspaces. */
                workspace_id?: components["parameters"]["WorkspaceFilter"];
                /** @description Only tasks with the named statuses, such as `todo`, `in_progress`, `blocked`, `done` or `cancelled`. */
                status?: components["parameters"]["StatusFilter"];
                /** @description Only tasks with one of these priorities. */
                priority?: components["schemas"]["FilterTexts"];
                /** @description Only tasks assigned to one of these ids. */
                assignee_id?: components["schemas"]["FilterTexts"];
                /** @description Only tasks without an assignee (`true`), or only tasks with one (`false`). */
                unassigned?: boolean;
                /** @description Only tasks assigned to this kind of assignee. */
                assignee_type?: components["schemas"]["FilterText"];
                /**
                 * @description Only tasks with one of these tags. Spaces around a tag are ignored. The `tags` of a task may be a
                 *     comma-separated list or a JSON array.
                 */
                tag?: components["schemas"]["FilterTexts"];
                /** @description Only tasks due before this date or date-time. */
                due_before?: components["schemas"]["DateOrTimestamp"];
                /** @description Only tasks due at or after this date or date-time. */
                due_after?: components["schemas"]["DateOrTimestamp"];
                /** @description Only tasks completed before this date or date-time. */
                completed_before?: components["schemas"]["DateOrTimestamp"];
                /** @description Only tasks completed at or after this date or date-time. */
                completed_after?: components["schemas"]["DateOrTimestamp"];
                /**
                 * @description Only tasks updated at or after this date or date-time. To follow changes, list with `sort=-updated_at` from
                 *     10 seconds before the newest `updated_at` of the previous list, and drop the entries that the previous list
                 *     had with the same `id` and `updated_at`. A write that waits for another write becomes visible some time
                 *     after its `updated_at`, so a client that continues from the newest `updated_at` would miss it. 10 seconds
                 *     are enough if `DATABASE_STATEMENT_TIMEOUT` has its default of 4 seconds. Deleted tasks are not listed.
                 */
                updated_since?: components["schemas"]["DateOrTimestamp"];
                /**
                 * @description Only tasks whose title or description contains each of these words, in any order. Case and accents are
                 *     ignored: `cafe` finds Café. σ, ς and Σ are one letter, and so are I, i, İ and ı. The embedded database
                 *     searches the newest 8 MiB of the texts that match the other filters.
                 */
                q?: string;
                /**
                 * @description The order; a leading `-` means descending. Tasks without the date that orders the list come last. Titles are
                 *     ordered by the database's collation; case is ignored. `priority` begins with `urgent`, `high`, `medium` and
                 *     `low`, in any case. All other priorities follow and are equal. Equal tasks are ordered by `id`.
                 */
                sort: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "due_date" | "-due_date" | "priority" | "-priority" | "completed_at" | "-completed_at" | "title" | "-title";
                /**
                 * @description Page size. A value above 1000 counts as 1000. A page may have fewer entries: it ends with the entry that reaches 2
                 *     MiB of JSON, and `Link` continues after it.
                 */
                limit: components["parameters"]["PageLimit"];
                /** @description How many entries to skip. Creating or deleting entries shifts the pages, unless you use `cursor`. */
                offset: components["parameters"]["Offset"];
                /**
                 * @description An opaque position, from the `rel="next"` of `Link`; the page begins after it. A cursor is valid only with the
                 *     same list, filters and order, and an `offset` of 0 (else 400). It stays valid if its entry is deleted or moved.
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of tasks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe. The response to a successful request is stored for 24 hours. If the caller repeats the request
                 *     with the same key, it gets this response again, with `Idempotency-Replayed: true`. A failure is not stored.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Buy milk",
                 *       "workspace_id": "home",
                 *       "due_date": "2026-12-01",
                 *       "tags": "shopping,food"
                 *     }
                 */
                "application/json": components["schemas"]["TaskCreate"];
            };
        };
        responses: {
            /** @description The created task. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["TaskLocation"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task": {
                     *         "id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *         "user_id": "alice",
                     *         "workspace_id": "home",
                     *         "title": "Buy milk",
                     *         "description": null,
                     *         "status": "todo",
                     *         "priority": "none",
                     *         "assignee_id": null,
                     *         "assignee_type": null,
                     *         "assignee_name": null,
                     *         "due_date": "2026-12-01",
                     *         "tags": "shopping,food",
                     *         "metadata": null,
                     *         "completed_at": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "etag": "\"rPh3vQd0aX7k\""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TaskEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    batchTasks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe. The response to a successful request is stored for 24 hours. If the caller repeats the request
                 *     with the same key, it gets this response again, with `Idempotency-Replayed: true`. A failure is not stored.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "update": [
                 *         {
                 *           "status": "done",
                 *           "due_date": null,
                 *           "id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                 *           "if_match": "\"rPh3vQd0aX7k\""
                 *         }
                 *       ],
                 *       "delete": [
                 *         {
                 *           "id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b58"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TaskBatch"];
            };
        };
        responses: {
            /** @description The result of each operation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "create": [],
                     *       "update": [
                     *         {
                     *           "status": 200,
                     *           "task": {
                     *             "id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *             "user_id": "alice",
                     *             "workspace_id": "home",
                     *             "title": "Buy milk",
                     *             "description": null,
                     *             "status": "done",
                     *             "priority": "none",
                     *             "assignee_id": null,
                     *             "assignee_type": null,
                     *             "assignee_name": null,
                     *             "due_date": null,
                     *             "tags": "shopping,food",
                     *             "metadata": null,
                     *             "completed_at": "2026-11-21T09:45:00.000Z",
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "updated_at": "2026-11-21T09:45:00.000Z",
                     *             "etag": "\"Zt9xW1mYqe4B\""
                     *           },
                     *           "error": null
                     *         }
                     *       ],
                     *       "delete": [
                     *         {
                     *           "status": 404,
                     *           "task": null,
                     *           "error": {
                     *             "code": "Task not found",
                     *             "detail": "No task has this id. List the tasks to see which there are."
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    countTasks: {
        parameters: {
            query?: {
                /** @description Only tasks of the named workspaces. */
                workspace_id?: components["parameters"]["WorkspaceFilter"];
                /** @description Only tasks with the named statuses, such as `todo`, `in_progress`, `blocked`, `done` or `cancelled`. */
                status?: components["parameters"]["StatusFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of tasks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 12,
                     *       "by_status": [
                     *         {
                     *           "status": "todo",
                     *           "count": 7
                     *         },
                     *         {
                     *           "status": "done",
                     *           "count": 5
                     *         }
                     *       ],
                     *       "by_workspace": [
                     *         {
                     *           "workspace_id": "home",
                     *           "count": 9
                     *         },
                     *         {
                     *           "workspace_id": null,
                     *           "count": 3
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TaskCounts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A list of entity tags, or `*` for any. If the list has the task's `ETag`, a read gets 304 without a body, and a change
                 *     gets 412.
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskEnvelope"];
                };
            };
            /** @description The task is still the version named by `If-None-Match`. There is no body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["TaskNotFound"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    updateTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags, or `*` for any. The task changes only if its `ETag` is one of them; otherwise the response is 412. A
                 *     weak tag matches too, because a proxy that compresses a response makes its tag weak.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description A list of entity tags, or `*` for any. If the list has the task's `ETag`, a read gets 304 without a body, and a change
                 *     gets 412.
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "done",
                 *       "due_date": null
                 *     }
                 */
                "application/json": components["schemas"]["TaskUpdate"];
            };
        };
        responses: {
            /** @description The task after the update. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["NewETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task": {
                     *         "id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *         "user_id": "alice",
                     *         "workspace_id": "home",
                     *         "title": "Buy milk",
                     *         "description": null,
                     *         "status": "done",
                     *         "priority": "none",
                     *         "assignee_id": null,
                     *         "assignee_type": null,
                     *         "assignee_name": null,
                     *         "due_date": null,
                     *         "tags": "shopping,food",
                     *         "metadata": null,
                     *         "completed_at": "2026-11-21T09:45:00.000Z",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:45:00.000Z",
                     *         "etag": "\"Zt9xW1mYqe4B\""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TaskEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["TaskNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    deleteTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags, or `*` for any. The task changes only if its `ETag` is one of them; otherwise the response is 412. A
                 *     weak tag matches too, because a proxy that compresses a response makes its tag weak.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description A list of entity tags, or `*` for any. If the list has the task's `ETag`, a read gets 304 without a body, and a change
                 *     gets 412.
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedTask"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["TaskNotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    assignTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags, or `*` for any. The task changes only if its `ETag` is one of them; otherwise the response is 412. A
                 *     weak tag matches too, because a proxy that compresses a response makes its tag weak.
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description A list of entity tags, or `*` for any. If the list has the task's `ETag`, a read gets 304 without a body, and a change
                 *     gets 412.
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "assignee_type": "human",
                 *       "assignee_id": "bob",
                 *       "assignee_name": "Bob"
                 *     }
                 */
                "application/json": components["schemas"]["TaskAssignment"];
            };
        };
        responses: {
            /** @description The task itself, not wrapped. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["NewETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *       "user_id": "alice",
                     *       "workspace_id": "home",
                     *       "title": "Buy milk",
                     *       "description": null,
                     *       "status": "todo",
                     *       "priority": "none",
                     *       "assignee_id": "bob",
                     *       "assignee_type": "human",
                     *       "assignee_name": "Bob",
                     *       "due_date": "2026-12-01",
                     *       "tags": "shopping,food",
                     *       "metadata": null,
                     *       "completed_at": null,
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T09:50:00.000Z",
                     *       "etag": "\"Zt9xW1mYqe4B\""
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["TaskNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    listComments: {
        parameters: {
            query: {
                /**
                 * @description Page size. A value above 1000 counts as 1000. A page may have fewer entries: it ends with the entry that reaches 2
                 *     MiB of JSON, and `Link` continues after it.
                 */
                limit: components["parameters"]["PageLimitDefault1000"];
                /** @description How many entries to skip. Creating or deleting entries shifts the pages, unless you use `cursor`. */
                offset: components["parameters"]["Offset"];
                /**
                 * @description An opaque position, from the `rel="next"` of `Link`; the page begins after it. A cursor is valid only with the
                 *     same list, filters and order, and an `offset` of 0 (else 400). It stays valid if its entry is deleted or moved.
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of comments. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["TaskNotFound"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    createComment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe. The response to a successful request is stored for 24 hours. If the caller repeats the request
                 *     with the same key, it gets this response again, with `Idempotency-Replayed: true`. A failure is not stored.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "Oat milk, please."
                 *     }
                 */
                "application/json": components["schemas"]["CommentCreate"];
            };
        };
        responses: {
            /** @description The created comment. `Location` is the path of the task's comments. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["CommentsLocation"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa5f4-02d1-7c55-8a31-5f0f3f6d9e21",
                     *       "task_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *       "body": "Oat milk, please.",
                     *       "author_id": "alice",
                     *       "author_name": "Alice",
                     *       "created_at": "2026-11-21T09:40:00.000Z",
                     *       "updated_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Comment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["TaskNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    updateComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
                /**
                 * @description The comment's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f4-02d1-7c55-8a31-5f0f3f6d9e21
                 */
                comment_id: components["parameters"]["CommentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "Soy milk, please."
                 *     }
                 */
                "application/json": components["schemas"]["CommentCreate"];
            };
        };
        responses: {
            /** @description The comment after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa5f4-02d1-7c55-8a31-5f0f3f6d9e21",
                     *       "task_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *       "body": "Soy milk, please.",
                     *       "author_id": "alice",
                     *       "author_name": "Alice",
                     *       "created_at": "2026-11-21T09:40:00.000Z",
                     *       "updated_at": "2026-11-21T09:41:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Comment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CommentAccessDenied"];
            404: components["responses"]["CommentNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    deleteComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
                /**
                 * @description The comment's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f4-02d1-7c55-8a31-5f0f3f6d9e21
                 */
                comment_id: components["parameters"]["CommentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comment is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa5f4-02d1-7c55-8a31-5f0f3f6d9e21",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedComment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CommentAccessDenied"];
            404: components["responses"]["CommentNotFound"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    listAuditLogs: {
        parameters: {
            query: {
                /**
                 * @description Page size. A value above 1000 counts as 1000. A page may have fewer entries: it ends with the entry that reaches 2
                 *     MiB of JSON, and `Link` continues after it.
                 */
                limit: components["parameters"]["PageLimitDefault1000"];
                /** @description How many entries to skip. Creating or deleting entries shifts the pages, unless you use `cursor`. */
                offset: components["parameters"]["Offset"];
                /**
                 * @description An opaque position, from the `rel="next"` of `Link`; the page begins after it. A cursor is valid only with the
                 *     same list, filters and order, and an `offset` of 0 (else 400). It stays valid if its entry is deleted or moved.
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The task's id. A malformed id is 404, like any unknown id.
                 * @example 019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57
                 */
                id: components["parameters"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of audit entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "019aa5f2-7c1e-7d02-a1b0-2f3a4b5c6d7e",
                     *         "task_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *         "action": "create",
                     *         "actor_type": "human",
                     *         "actor_id": "alice",
                     *         "payload": "{\"title\":\"Buy milk\",\"status\":\"todo\",\"priority\":\"none\"}",
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       {
                     *         "id": "019aa5f5-11aa-7e90-b2c1-3a4b5c6d7e8f",
                     *         "task_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *         "action": "update",
                     *         "actor_type": "human",
                     *         "actor_id": "alice",
                     *         "payload": "{\"changes\":{\"status\":{\"from\":\"todo\",\"to\":\"done\"}}}",
                     *         "created_at": "2026-11-21T09:45:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AuditLogEntry"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["TaskNotFound"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    listChanges: {
        parameters: {
            query: {
                /**
                 * @description Where to begin: `0` for the oldest change, or `now` for the next one. To continue after a position, send
                 *     `next`, the `cursor` of a change or the `id` of an event. A position is valid only with the same
                 *     `workspace_id`.
                 * @example now
                 */
                after: string;
                /** @description Only changes of tasks that were in this workspace before or after the change. */
                workspace_id?: components["schemas"]["FilterText"];
                /**
                 * @description `task` adds the task to each change. Each task is as it is when the page is read. It may already have later
                 *     changes; its `etag` then differs from the `etag` of the change.
                 */
                include?: "task";
                /**
                 * @description Page size, which a stream ignores. A value above 1000 counts as 1000. A page may have fewer changes even if
                 *     more follow: it ends with the change that reaches 2 MiB of JSON.
                 */
                limit: number;
            };
            header?: {
                /** @description The `id` of the last event that a client of the stream has received. Replaces `after`, unless it is empty. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes, or a stream of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Accel-Buffering": components["headers"]["AccelBuffering"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "changes": [
                     *         {
                     *           "id": "019aa5f5-11aa-7e90-b2c1-3a4b5c6d7e8f",
                     *           "task_id": "019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57",
                     *           "workspace_id": "home",
                     *           "action": "update",
                     *           "actor_type": "human",
                     *           "actor_id": "alice",
                     *           "payload": "{\"changes\":{\"status\":{\"from\":\"todo\",\"to\":\"done\"}}}",
                     *           "created_at": "2026-11-21T09:45:00.000Z",
                     *           "etag": "\"Zt9xW1mYqe4B\"",
                     *           "cursor": "WyJ4cWwzdzBkVHNhQVh2OGJKIiwiMTc5NTI1NDMwMDAwMDAwMCIsIjIiXQ"
                     *         }
                     *       ],
                     *       "next": "WyJ4cWwzdzBkVHNhQVh2OGJKIiwiMTc5NTI1NDMwMDAwMDAwMCIsIjIiXQ"
                     *     }
                     */
                    "application/json": components["schemas"]["ChangeList"];
                    /**
                     * @example event: ready
                     *     id: WyJ6WjVQb0o3aE1rQnFXMmRjIiwiMTc5NTI1NDIwMDAwMDAwMCIsIjAiXQ
                     *     data: {"cursor":"WyJ6WjVQb0o3aE1rQnFXMmRjIiwiMTc5NTI1NDIwMDAwMDAwMCIsIjAiXQ"}
                     *
                     *     event: change
                     *     id: WyJ4cWwzdzBkVHNhQVh2OGJKIiwiMTc5NTI1NDMwMDAwMDAwMCIsIjIiXQ
                     *     data: {"id":"019aa5f5-11aa-7e90-b2c1-3a4b5c6d7e8f","task_id":"019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57","workspace_id":"home","action":"update","actor_type":"human","actor_id":"alice","payload":"{\"changes\":{\"status\":{\"from\":\"todo\",\"to\":\"done\"}}}","created_at":"2026-11-21T09:45:00.000Z","etag":"\"Zt9xW1mYqe4B\"","cursor":"WyJ4cWwzdzBkVHNhQVh2OGJKIiwiMTc5NTI1NDMwMDAwMDAwMCIsIjIiXQ"}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["TaskFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "alice",
                     *       "name": "Alice",
                     *       "token_expires_at": "2026-11-21T10:30:00.000Z",
                     *       "limits_per_minute": {
                     *         "requests": 600,
                     *         "runs": 60,
                     *         "runs_per_agent": 30
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Caller"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["CallerFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    getVizStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "service": "viz",
                     *       "renders": [
                     *         "svg",
                     *         "png",
                     *         "pdf"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VizStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["ChartFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    renderSvg: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chart_type": "bar",
                 *       "title": "Tasks by status",
                 *       "source": "Source: tasks of the service",
                 *       "series": [
                 *         {
                 *           "name": "May",
                 *           "data": [
                 *             {
                 *               "label": "todo",
                 *               "value": 7
                 *             },
                 *             {
                 *               "label": "done",
                 *               "value": 12
                 *             }
                 *           ]
                 *         },
                 *         {
                 *           "name": "June",
                 *           "data": [
                 *             {
                 *               "label": "todo",
                 *               "value": 4
                 *             },
                 *             {
                 *               "label": "done",
                 *               "value": 15
                 *             }
                 *           ]
                 *         }
                 *       ],
                 *       "stacked": true,
                 *       "orientation": "horizontal",
                 *       "values": "always",
                 *       "theme": "auto"
                 *     }
                 */
                "application/json": components["schemas"]["ChartRequest"];
            };
        };
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["PictureETag"];
                    "Content-Disposition": components["headers"]["PictureDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"600\" viewBox=\"0 0 800 600\"></svg>"
                     *     }
                     */
                    "application/json": components["schemas"]["SvgImage"];
                    /** @example <svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 800 600"></svg> */
                    "image/svg+xml": string;
                };
            };
            400: components["responses"]["ChartRefused"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ChartFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    renderPng: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chart_type": "line",
                 *       "title": "Tasks done",
                 *       "scale": 2,
                 *       "data": [
                 *         {
                 *           "label": "2026-06-01",
                 *           "value": 3
                 *         },
                 *         {
                 *           "label": "2026-06-02",
                 *           "value": 5
                 *         },
                 *         {
                 *           "label": "2026-06-05",
                 *           "value": 4
                 *         }
                 *       ],
                 *       "area": true,
                 *       "x_title": "Day",
                 *       "y_title": "Tasks",
                 *       "y_max": 6,
                 *       "lines": [
                 *         {
                 *           "value": 4,
                 *           "label": "Target"
                 *         }
                 *       ],
                 *       "locale": "de"
                 *     }
                 */
                "application/json": components["schemas"]["ChartRequest"];
            };
        };
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["PictureETag"];
                    "Content-Disposition": components["headers"]["PictureDisposition"];
                    "Chart-Missing-Glyphs": components["headers"]["ChartMissingGlyphs"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "png_base64": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC"
                     *     }
                     */
                    "application/json": components["schemas"]["PngImage"];
                    /**
                     * @example PNG
                     *     
                     */
                    "image/png": string;
                };
            };
            400: components["responses"]["ChartRefused"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ChartFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    renderPdf: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chart_type": "pie",
                 *       "title": "Time spent",
                 *       "subtitle": "In June",
                 *       "data": [
                 *         {
                 *           "label": "Work",
                 *           "value": 6
                 *         },
                 *         {
                 *           "label": "Rest",
                 *           "value": 2
                 *         }
                 *       ],
                 *       "donut": true,
                 *       "colors": [
                 *         "steelblue",
                 *         "#ffa500"
                 *       ],
                 *       "unit": " h",
                 *       "background": "#fff8e7"
                 *     }
                 */
                "application/json": components["schemas"]["ChartRequest"];
            };
        };
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["PictureETag"];
                    "Content-Disposition": components["headers"]["PictureDisposition"];
                    "Chart-Missing-Glyphs": components["headers"]["ChartMissingGlyphs"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pdf_base64": "JVBERi0xLjMKJSVFT0YK"
                     *     }
                     */
                    "application/json": components["schemas"]["PdfImage"];
                    /** @example %PDF-1.3 */
                    "application/pdf": string;
                };
            };
            400: components["responses"]["ChartRefused"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ChartFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    linkChart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chart": {
                 *         "title": "Tasks by status",
                 *         "data": [
                 *           {
                 *             "label": "todo",
                 *             "value": 7
                 *           },
                 *           {
                 *             "label": "done",
                 *             "value": 12
                 *           }
                 *         ]
                 *       },
                 *       "format": "png",
                 *       "expires_in": 604800
                 *     }
                 */
                "application/json": components["schemas"]["ChartLinkRequest"];
            };
        };
        responses: {
            /** @description The address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "http://127.0.0.1:3000/api/v1/viz/links/q1YqSVSyUkpUqgUA.Zk3oP0Yb0p5JyTxg2h1sVQ.png",
                     *       "expires_at": "2026-12-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ChartLink"];
                };
            };
            400: components["responses"]["ChartRefused"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["ChartFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    getLinkedChart: {
        parameters: {
            query?: never;
            header?: {
                /** @description A list of entity tags, or `*` for any. If it has the `ETag` of the picture, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The chart, its signature and its format, as in the address. */
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["LinkETag"];
                    "Cache-Control": components["headers"]["LinkCacheControl"];
                    "Content-Disposition": components["headers"]["PictureDisposition"];
                    "Chart-Missing-Glyphs": components["headers"]["ChartMissingGlyphs"];
                    "Content-Security-Policy": components["headers"]["LinkPolicy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["LinkOrigins"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 800 600"></svg> */
                    "image/svg+xml": string;
                    /**
                     * @example PNG
                     *     
                     */
                    "image/png": string;
                    /** @example %PDF-1.3 */
                    "application/pdf": string;
                };
            };
            /** @description The client already has this picture. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["LinkETag"];
                    "Cache-Control": components["headers"]["LinkCacheControl"];
                    "Content-Security-Policy": components["headers"]["LinkPolicy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["LinkOrigins"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["LinkNotFound"];
            410: components["responses"]["LinkExpired"];
            500: components["responses"]["ChartFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    listAgents: {
        parameters: {
            query: {
                /**
                 * @description Page size. A value above 1000 counts as 1000. A page may have fewer entries: it ends with the entry that reaches 2
                 *     MiB of JSON, and `Link` continues after it.
                 */
                limit: components["parameters"]["PageLimitDefault1000"];
                /** @description How many entries to skip. Creating or deleting entries shifts the pages, unless you use `cursor`. */
                offset: components["parameters"]["Offset"];
                /**
                 * @description An opaque position, from the `rel="next"` of `Link`; the page begins after it. A cursor is valid only with the
                 *     same list, filters and order, and an `offset` of 0 (else 400). It stays valid if its entry is deleted or moved.
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of agents. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe. The response to a successful request is stored for 24 hours. If the caller repeats the request
                 *     with the same key, it gets this response again, with `Idempotency-Replayed: true`. A failure is not stored.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Planner",
                 *       "runtime": "builtin",
                 *       "skills": [
                 *         "tasks",
                 *         "viz"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AgentCreate"];
            };
        };
        responses: {
            /** @description The created agent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *       "name": "Planner",
                     *       "status": "active",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "runtime": "builtin",
                     *       "skills": [
                     *         "tasks",
                     *         "viz"
                     *       ],
                     *       "approvals": [],
                     *       "instructions": null,
                     *       "model_options": {},
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent's id.
                 * @example 019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c
                 */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *       "name": "Planner",
                     *       "status": "active",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "runtime": "builtin",
                     *       "skills": [
                     *         "tasks",
                     *         "viz"
                     *       ],
                     *       "approvals": [],
                     *       "instructions": null,
                     *       "model_options": {},
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent's id.
                 * @example 019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c
                 */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Planner",
                 *       "instructions": "Be brief."
                 *     }
                 */
                "application/json": components["schemas"]["AgentUpdate"];
            };
        };
        responses: {
            /** @description The agent after the update. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *       "name": "Planner",
                     *       "status": "active",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "runtime": "builtin",
                     *       "skills": [
                     *         "tasks",
                     *         "viz"
                     *       ],
                     *       "approvals": [],
                     *       "instructions": "Be brief.",
                     *       "model_options": {},
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["AgentNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent's id.
                 * @example 019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c
                 */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is archived. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedAgent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    runAgent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe. The response to a successful request is stored for 24 hours. If the caller repeats the request
                 *     with the same key, it gets this response again, with `Idempotency-Replayed: true`. A failure is not stored.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`, or `wait=N` with N in seconds, at most 600 (RFC 7240). */
                Prefer?: string;
            };
            path: {
                /**
                 * @description The agent's id.
                 * @example 019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c
                 */
                id: components["parameters"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "input": "create a task titled Buy milk",
                 *       "context": {
                 *         "workspace_id": "home"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            /** @description The finished run (completed, incomplete, failed or cancelled), or a stream of its events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Accel-Buffering": components["headers"]["AccelBuffering"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": string;
                };
            };
            /** @description The run continues in the background or requires action. `Location` is its path. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["RunLocation"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["AgentNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    listRuntimes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runtimes and skills. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    listRuns: {
        parameters: {
            query: {
                /** @description Only runs of this agent. */
                agent_id?: components["schemas"]["FilterText"];
                /** @description Only runs of this session. */
                session_id?: components["schemas"]["FilterText"];
                /** @description Only runs with this status. */
                status?: components["schemas"]["RunStatus"];
                /**
                 * @description Page size. A value above 1000 counts as 1000. A page may have fewer entries: it ends with the entry that reaches 2
                 *     MiB of JSON, and `Link` continues after it.
                 */
                limit: components["parameters"]["PageLimit"];
                /** @description How many entries to skip. Creating or deleting entries shifts the pages, unless you use `cursor`. */
                offset: components["parameters"]["Offset"];
                /**
                 * @description An opaque position, from the `rel="next"` of `Link`; the page begins after it. A cursor is valid only with the
                 *     same list, filters and order, and an `offset` of 0 (else 400). It stays valid if its entry is deleted or moved.
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    getRun: {
        parameters: {
            query: {
                /** @description Where a stream ends. With `finished`, it continues while the run requires action. Ignored without a stream. */
                until: "requires_action" | "finished";
            };
            header?: {
                /** @description The `id` of the last event that a client of the stream has received. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                /**
                 * @description The run's id.
                 * @example 019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run, or a stream of its events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Accel-Buffering": components["headers"]["AccelBuffering"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example 019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run, which has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d",
                     *       "agent_id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *       "session_id": "019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e",
                     *       "status": "cancelled",
                     *       "output": null,
                     *       "error": null,
                     *       "incomplete_details": null,
                     *       "required_action": null,
                     *       "usage": null,
                     *       "runtime": "builtin",
                     *       "model": null,
                     *       "created_at": "2026-11-21T10:01:00.000Z",
                     *       "completed_at": "2026-11-21T10:01:00.120Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    decideToolCalls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id.
                 * @example 019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decisions": [
                 *         {
                 *           "tool_call_id": "call_3e4f5a6b7c8d_1_1",
                 *           "approve": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ToolCallDecisions"];
            };
        };
        responses: {
            /** @description The run, which continues if all of its calls are decided. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d",
                     *       "agent_id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *       "session_id": "019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e",
                     *       "status": "queued",
                     *       "output": null,
                     *       "error": null,
                     *       "incomplete_details": null,
                     *       "required_action": null,
                     *       "usage": null,
                     *       "runtime": "builtin",
                     *       "model": null,
                     *       "created_at": "2026-11-21T10:01:00.000Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["RunNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    listSessions: {
        parameters: {
            query: {
                /** @description Only sessions with this agent. */
                agent_id?: components["schemas"]["FilterText"];
                /** @description Only sessions with this status. */
                status?: components["schemas"]["SessionStatus"];
                /**
                 * @description Page size. A value above 1000 counts as 1000. A page may have fewer entries: it ends with the entry that reaches 2
                 *     MiB of JSON, and `Link` continues after it.
                 */
                limit: components["parameters"]["PageLimit"];
                /** @description How many entries to skip. Creating or deleting entries shifts the pages, unless you use `cursor`. */
                offset: components["parameters"]["Offset"];
                /**
                 * @description An opaque position, from the `rel="next"` of `Link`; the page begins after it. A cursor is valid only with the
                 *     same list, filters and order, and an `offset` of 0 (else 400). It stays valid if its entry is deleted or moved.
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "id": "019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e",
                     *           "agent_id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *           "user_id": "alice",
                     *           "title": "Groceries",
                     *           "metadata": null,
                     *           "approved_tools": [],
                     *           "status": "idle",
                     *           "created_at": "2026-11-21T10:01:00.000Z",
                     *           "updated_at": "2026-11-21T10:01:00.120Z",
                     *           "message_count": 4,
                     *           "usage": null,
                     *           "run": {
                     *             "id": "019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d",
                     *             "agent_id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *             "session_id": "019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e",
                     *             "status": "completed",
                     *             "output": "Created the task \"Buy milk\".",
                     *             "error": null,
                     *             "incomplete_details": null,
                     *             "required_action": null,
                     *             "usage": null,
                     *             "runtime": "builtin",
                     *             "model": null,
                     *             "created_at": "2026-11-21T10:01:00.000Z",
                     *             "completed_at": "2026-11-21T10:01:00.120Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id.
                 * @example 019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e
                 */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["SessionNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id.
                 * @example 019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e
                 */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Groceries"
                 *     }
                 */
                "application/json": components["schemas"]["SessionUpdate"];
            };
        };
        responses: {
            /** @description The session after the update. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e",
                     *       "agent_id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *       "user_id": "alice",
                     *       "title": "Groceries",
                     *       "metadata": null,
                     *       "approved_tools": [],
                     *       "status": "idle",
                     *       "created_at": "2026-11-21T10:01:00.000Z",
                     *       "updated_at": "2026-11-21T10:01:00.120Z",
                     *       "message_count": 4,
                     *       "usage": null,
                     *       "run": {
                     *         "id": "019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d",
                     *         "agent_id": "019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c",
                     *         "session_id": "019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e",
                     *         "status": "completed",
                     *         "output": "Created the task \"Buy milk\".",
                     *         "error": null,
                     *         "incomplete_details": null,
                     *         "required_action": null,
                     *         "usage": null,
                     *         "runtime": "builtin",
                     *         "model": null,
                     *         "created_at": "2026-11-21T10:01:00.000Z",
                     *         "completed_at": "2026-11-21T10:01:00.120Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["SessionNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id.
                 * @example 019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e
                 */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["SessionNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
    listMessages: {
        parameters: {
            query: {
                /**
                 * @description Page size. A value above 1000 counts as 1000. A page may have fewer entries: it ends with the entry that reaches 2
                 *     MiB of JSON, and `Link` continues after it.
                 */
                limit: components["parameters"]["PageLimit"];
                /** @description How many entries to skip. Creating or deleting entries shifts the pages, unless you use `cursor`. */
                offset: components["parameters"]["Offset"];
                /**
                 * @description An opaque position, from the `rel="next"` of `Link`; the page begins after it. A cursor is valid only with the
                 *     same list, filters and order, and an `offset` of 0 (else 400). It stays valid if its entry is deleted or moved.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only messages after the message with this id. */
                after?: components["schemas"]["FilterText"];
                /** @description The order; a leading `-` means descending. */
                sort: "created_at" | "-created_at";
            };
            header?: {
                /** @description The `id` of the last event that a client of the stream has received. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                /**
                 * @description The session's id.
                 * @example 019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e
                 */
                id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of messages, or a stream of messages and runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Accel-Buffering": components["headers"]["AccelBuffering"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                    /**
                     * @example event: message
                     *     id: 1
                     *     data: {"id":"019aa601-4e32-7d11-9e5f-4a5b6c7d8e9f","session_id":"019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e","run_id":"019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d","role":"user","content":"create a task titled Buy milk","partial":false,"tool_calls":null,"tool_call_id":null,"is_error":false,"attachments":null,"actor_type":"human","actor_id":"alice","created_at":"2026-11-21T10:01:00.000Z"}
                     *
                     *     event: run
                     *     data: {"id":"019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d","agent_id":"019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c","session_id":"019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e","status":"running","output":null,"error":null,"incomplete_details":null,"required_action":null,"usage":null,"runtime":"builtin","model":null,"created_at":"2026-11-21T10:01:00.000Z","completed_at":null}
                     *
                     *     event: message
                     *     id: 4
                     *     data: {"id":"019aa601-4e32-7d22-8a6b-5b6c7d8e9fa0","session_id":"019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e","run_id":"019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d","role":"assistant","content":"Created the task \"Buy milk\".","partial":false,"tool_calls":null,"tool_call_id":null,"is_error":false,"attachments":null,"actor_type":"agent","actor_id":"019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c","created_at":"2026-11-21T10:01:00.110Z"}
                     *
                     *     event: run
                     *     data: {"id":"019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d","agent_id":"019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c","session_id":"019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e","status":"completed","output":"Created the task \"Buy milk\".","error":null,"incomplete_details":null,"required_action":null,"usage":null,"runtime":"builtin","model":null,"created_at":"2026-11-21T10:01:00.000Z","completed_at":"2026-11-21T10:01:00.120Z"}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["SessionNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["AgentFailure"];
            503: components["responses"]["Overloaded"];
        };
    };
}
