// Starts a session of an applied agent, after all checks that need no call.

import { type Applied, type AppliedResource, kindText, notApplied, withoutAbility } from '../actions/applied.js'
import { explainingFailures } from '../actions/failures.js'
import { ActionScope } from '../actions/scope.js'
import { type Diagnostic, hasErrors, Problem } from '../diagnostic.js'
import { capabilitiesOf } from '../plugin/capabilities.js'
import type { Declaration } from '../plugin/declaration.js'
import { ApiFailure } from '../plugin/failure.js'
import type { Remote } from '../plugin/handler.js'
import type { SessionRequest, Sessions } from '../plugin/sessions.js'
import { diagnostic, problem } from '../problems/index.js'
import { parseAddress } from '../value/address.js'
import type { Tree } from '../value/tree.js'
import { readAttachments, removeUploads, type Uploaded, type UploadKind, uploadAttachments } from './attachments.js'
import { requireMessage, sessionsOf } from './sessions.js'

/** Kinds of the names in a request, because the core knows no kinds. */
export type SessionKinds = Readonly<Record<Exclude<keyof Mentions, 'files'> | 'runs', string>> & {
  readonly files: UploadKind
}

type Mentions = Pick<SessionRequest, 'identity' | 'environment' | 'vaults' | 'memoryStores' | 'tunnel' | 'files'>

export interface NewSession {
  readonly kinds: SessionKinds
  /** Name or address of the resource that the session runs. */
  readonly runs: string
  readonly provider?: string | undefined
  /** Additions to the agent. `files` has names of declared files, and paths of local ones from `folder`. */
  readonly request: SessionRequest
  readonly folder: string
  /** Message to send right after the session was created. */
  readonly message?: string | undefined
}

export interface StartedSession {
  readonly provider: string
  readonly address: string
  readonly id: string
  readonly session: Remote
  readonly uploaded: readonly Uploaded[]
  /** Warnings of rules and of the provider. */
  readonly notes: readonly Diagnostic[]
}

/** Throws a `Problem`, before a session is created, if its provider does not tell when a turn is over. */
export function requireSigns(applied: Applied, { kinds, runs, provider: wanted }: NewSession): void {
  const { provider } = applied.find({ kind: kinds.runs, name: runs, provider: wanted })
  if (!sessionsOf(provider).sign) throw withoutAbility(provider, 'sessions that can be run')
}

export async function createSession(applied: Applied, wanted: NewSession): Promise<StartedSession> {
  const { kinds } = wanted
  requireMessage(wanted.message)
  const resource = applied.find({ kind: kinds.runs, name: wanted.runs, provider: wanted.provider })
  const { address, provider, providerName, declaration } = resource
  if (resource.row.id === null) throw notApplied(address)
  if (!declaration) throw undeclared(address)
  const sessions = sessionsOf(provider)
  if (wanted.request.budget !== undefined && !sessions.takesBudget)
    throw withoutAbility(provider, 'budgets of sessions')
  const { folder } = wanted
  const files = { folder, written: wanted.request.files, provider: providerName }
  const attachments = await readAttachments(applied, kinds.files, files)
  const request = { ...withDefaultIdentity(applied, resource, wanted), files: attachments.names }
  const scope = new ActionScope(applied, resource, attachments.local)
  for (const { kind, name } of mentioned(kinds, request)) if (isOffered(resource, kind)) scope.output(kind, name)
  const body = requestBody(sessions, { declaration, request, scope })
  const notes = ruleFindings(applied, resource, scope)
  if (hasErrors(notes)) throw new Problem([...notes, ...scope.faults])
  scope.expand(body) // What is missing is reported before anything is uploaded.
  const destination = { provider: providerName, api: resource.row.api }
  const uploaded = await uploadAttachments(applied, attachments, destination)
  for (const { declaration, id } of uploaded) scope.setId(declaration, id)
  const expanded = scope.expand(body)

  const warnings: Diagnostic[] = []
  const call = applied.call(providerName, (diagnostic) => warnings.push({ address, ...diagnostic }))
  const mask = (text: string) => scope.project.variables.mask(text)
  const createWith = async (created: Tree) => {
    try {
      return await sessions.create(call, created)
    } catch (error) {
      const mayExist = error instanceof ApiFailure && error.isAmbiguous
      if (!mayExist) await removeUploads(applied, uploaded, destination)
      throw error
    }
  }
  const session = await explainingFailures({ subject: address, mask }, () => createWith(expanded))
  const id = String(session['id'])
  if (wanted.message !== undefined) await sendFirst(sessions, { applied, address, providerName, id }, wanted.message)
  return { provider: providerName, address, id, session, uploaded, notes: [...notes, ...warnings] }
}

/**
 * Creates the body. Names on the command line that are not declared are reported together with the provider's refusals.
 */
function requestBody(
  sessions: Sessions<unknown>,
  { declaration, request, scope }: { declaration: Declaration; request: SessionRequest; scope: ActionScope },
) {
  try {
    return sessions.request(declaration, request, scope)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem([...error.diagnostics, ...scope.faults], { cause: error })
  }
}

/** Applies `defaults.identity`, if the provider supports end users for this kind. */
function withDefaultIdentity({ options }: Applied, resource: AppliedResource, request: NewSession): SessionRequest {
  const kind = request.kinds.identity
  const name = options.project.defaults[kind]
  const isMissing = request.request.identity === undefined && name !== undefined && isOffered(resource, kind)
  return isMissing ? { ...request.request, identity: name } : request.request
}

function isOffered({ provider, row }: AppliedResource, kind: string): boolean {
  const api = row.api ?? ''
  const rows = capabilitiesOf(provider, kind).filter(({ support }) => support !== 'unsupported')
  return rows.some((row) => row.api === undefined || row.api === api)
}

function* mentioned(kinds: SessionKinds, request: SessionRequest): Iterable<{ kind: string; name: string }> {
  const { identity, environment, vaults, memoryStores, tunnel, files } = request
  const names = { identity, environment, vaults, memoryStores, tunnel }
  for (const [member, written] of Object.entries(names))
    for (const name of written === undefined ? [] : [written].flat())
      yield { kind: kinds[member as keyof typeof names], name }
  for (const name of files) yield { kind: kinds.files.kind, name }
}

/** Runs the rules of phase `session` for the resource and for everything passed to the session. */
function ruleFindings(applied: Applied, resource: AppliedResource, scope: ActionScope): readonly Diagnostic[] {
  const { provider, providerName, address, declaration } = resource
  const declarations = new Map([...scope.used, ...(declaration ? [[address, declaration] as const] : [])])
  const diagnostics: Diagnostic[] = []
  for (const [subject, each] of declarations) {
    const row = applied.state.rows.get(subject)
    for (const rule of provider.rules) {
      if (rule.phase !== 'session' || rule.kind !== each.kind) continue
      const { code, severity, summary } = rule
      const request = { declaration: each, project: scope.project, provider: providerName, api: row?.api ?? '' }
      for (const { detail, fix } of rule.check(row ? { ...request, row } : request))
        diagnostics.push({ code, severity, summary, detail, fix: fix ?? rule.fix, address: subject })
    }
  }
  return diagnostics
}

interface CreatedSession {
  readonly applied: Applied
  readonly address: string
  readonly providerName: string
  readonly id: string
}

/** Sends the first message. Its failure names the session, which exists already. */
async function sendFirst(sessions: Sessions<unknown>, begun: CreatedSession, text: string): Promise<void> {
  const { applied, address, providerName, id } = begun
  const mask = (written: string) => applied.options.project.variables.mask(written)
  try {
    await explainingFailures({ subject: address, mask }, () => sessions.send(applied.call(providerName), id, text))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const created: Diagnostic = diagnostic('session.message-not-sent', {
      detail: `${id} exists on ${providerName} and waits for a message.`,
      fix: `Send it: agents session send ${id} TEXT --provider ${providerName}`,
      address,
    })
    throw new Problem([created, ...error.diagnostics], { cause: error })
  }
}

function undeclared(address: string): Problem {
  const { kind, name } = parseAddress(address)
  return problem('session.not-declared', {
    address,
    detail: `State still has ${address}, but the project file has no ${kindText(kind)} "${name}" to start a session of.`,
  })
}
