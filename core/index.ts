// `steward`: the engine as a library that loads a project, plans it and applies the plan; docs/embedding.md shows how,
// and lists every name. `agents sync` and `agents import` are not part of it, because they rewrite a file that people
// review.

export { DeploymentHandle } from './actions/deployments.js'
export { MemoryHandle } from './actions/memories.js'
export type { ApplyOptions, ApplyResult } from './apply/options.js'
export { type LoadedProject, type LoadOptions, loadProject, type Source } from './declaration/load.js'
export { type Diagnostic, hasErrors, type Place, Problem, type Severity } from './diagnostic.js'
export { applyPlan, planProject, settleUnchanged } from './engine.js'
export type { EngineOptions, PlanOptions, RefreshProgress } from './plan/options.js'
export type { Action, Cause, Change, Outcome, OutcomeStatus, Plan, Progress, ScopeRequest } from './plan/plan.js'
export {
  readSavedPlan,
  refuseOtherPlan,
  refuseToOverwrite,
  type SavedPlan,
  savedPlan,
  writeSavedPlan,
} from './plan/plan-file.js'
export type { Declaration, Json, JsonObject, Project } from './plugin/declaration.js'
export type { Builtin, Builtins } from './plugin/loader.js'
export type { ConsentAnswer, NamedPlugin, PluginConsent } from './plugin/plugin-consent.js'
export type { ContentFile, PluginContent } from './plugin/plugin-content.js'
export type { Registry } from './plugin/registry.js'
export { type Clock, systemClock } from './ports/clock.js'
export type { Appender, Disk, FileStatus } from './ports/disk.js'
export type { Host } from './ports/host.js'
export {
  type Http,
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  type HttpStreamResponse,
} from './ports/http.js'
export { nodeDisk } from './ports/node-disk.js'
export { nodeHost } from './ports/node-host.js'
export { type Network, nodeHttp, nodeHttpStream, nodeNetwork } from './ports/node-http.js'
export type { Ports } from './ports/ports.js'
export { type Random, systemRandom } from './ports/random.js'
export { createSession, type NewSession, type StartedSession } from './sessions/create.js'
export { type ListedSession, listSessions, SessionHandle } from './sessions/sessions.js'
export { readState } from './state/project-state.js'
export type { Row } from './state/row.js'
export { unlockState } from './state/store.js'
export { type Address, type AddressParts, formatAddress, parseAddress } from './value/address.js'
