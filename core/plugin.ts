// `steward/plugin`: everything a provider or kind plugin is written against; docs/embedding.md lists every name.

export { type Static, Type } from 'typebox'
export {
  conformance,
  type RemoteObject,
  type Runner,
  type Service,
  type Subject,
  type Version,
} from './conformance/conformance.js'
export { fromTable, Problem, type ProblemTable, type Severity } from './diagnostic.js'
export type { DeploymentActions, MemoryActions, MemoryEntry } from './plugin/actions.js'
export { AnyObject, IdentifiedObject } from './plugin/answer.js'
export { fullBody, patchBody } from './plugin/body.js'
export type { MissingKind, Support } from './plugin/capability.js'
export { ApiClient } from './plugin/client.js'
export type {
  ClientOptions,
  DeleteOptions,
  RequestOptions,
  SignIn,
  SignInRequest,
} from './plugin/client-options.js'
export type { Declaration, Finding, LocalSource, Project, Variables } from './plugin/declaration.js'
export {
  ApiFailure,
  type Classification,
  type Classify,
  classifyByStatus,
  type FailedResponse,
  type FailureClass,
  isFailure,
  NotYet,
} from './plugin/failure.js'
export {
  type Blocker,
  type Call,
  type CreateRequest,
  type DerivedResource,
  type Field,
  type FieldTable,
  type Handler,
  handler,
  type LeafChange,
  type ListedObject,
  type LostCreate,
  type Parts,
  type PartUpdate,
  type Readiness,
  type Remote,
  type SourceContent,
  type UpdateRequest,
} from './plugin/handler.js'
export { type Kind, kind, type Reference, type Words } from './plugin/kind.js'
export { linkPaging, type Paging, pageTokenPaging } from './plugin/paging.js'
export { pathSegment, pathTo } from './plugin/path-to.js'
export {
  type ConnectEnvironment,
  type Identity,
  type Placeable,
  type Placement,
  type Provider,
  provider,
} from './plugin/provider.js'
export type { RemoteIndex } from './plugin/remote-index.js'
export { type KindRule, type ProviderRule, type RuleSubject, type RuleText, rule } from './plugin/rule.js'
export {
  AnyJson,
  ApiAddress,
  ApiKey,
  Exact,
  LocalPath,
  NameOf,
  OneOf,
  PerProvider,
  ProviderName,
  Secret,
  StringMap,
  Text,
  TextOrPath,
  Word,
} from './plugin/schema.js'
export type { Outputs, Scope } from './plugin/scope.js'
export type { ServerSentEvent } from './plugin/server-sent-events.js'
export type {
  EventOptions,
  SessionEnd,
  SessionRequest,
  SessionSign,
  Sessions,
  SessionUsage,
  ToolAnswer,
  ToolUse,
} from './plugin/sessions.js'
export { type Kept, keepUndeclared, type WriteFacts, type Written } from './plugin/undeclared.js'
export { contentOf } from './plugin/upload-content.js'
export { type Http, HttpFailure, type HttpRequest, type HttpResponse, type HttpStream } from './ports/http.js'
export {
  isEmpty,
  isObject,
  type Json,
  type JsonObject,
  type LeafPath,
  leafKeys,
  leafPath,
  leavesOf,
  type Tree,
} from './value/tree.js'
