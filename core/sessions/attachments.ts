// Local files that a command attaches to a session. Each is a declaration that only this command knows: it is uploaded by
// the provider's handler of files, and no state records it.
import { basename, dirname, resolve } from 'node:path'
import { type Applied, notApplied } from '../actions/applied.js'
import { explainingFailures } from '../actions/failures.js'
import { readLocalSource } from '../declaration/local-sources.js'
import { type Diagnostic, Problem } from '../diagnostic.js'
import type { Declaration } from '../plugin/declaration.js'
import type { Handler, Remote } from '../plugin/handler.js'
import { poll } from '../plugin/poll.js'
import { problem } from '../problems/index.js'
import type { JsonObject } from '../value/tree.js'
import type { SessionHandle } from './sessions.js'

/** The kind of uploads, because the core knows no kinds. */
export interface UploadKind {
  readonly kind: string
  /** Returns the body of a declaration of this file. */
  body(source: string): JsonObject
}

/** Files as a request names them. */
export interface Attachments {
  /** Logical names: those of declared files, and those of `local`. */
  readonly names: readonly string[]
  readonly local: readonly Declaration[]
}

export interface Uploaded {
  readonly declaration: Declaration
  /** Path as it was written. */
  readonly path: string
  readonly id: string
}

/** Where attachments go. */
export interface Destination {
  readonly provider: string
  readonly api?: string | undefined
}

/**
 * Reads what `--file` names: a declared file by its name, any other by its path from `folder`. Throws a `Problem` for
 * one that cannot be read or must not be uploaded. Sends nothing.
 */
export async function readAttachments(
  applied: Applied,
  { kind, body }: UploadKind,
  {
    folder,
    written,
    provider,
  }: { readonly folder: string; readonly written: readonly string[]; readonly provider: string },
): Promise<Attachments> {
  const { project, ports } = applied.options
  const names: string[] = []
  const local: Declaration[] = []
  const faults: Diagnostic[] = []
  for (const each of new Set(written)) {
    const path = resolve(folder, each)
    const isName = !/[./\\]/.test(each) && (await ports.disk.status(path)) === null
    if (project.find(kind, each) || isName) {
      names.push(each)
      continue
    }
    const place = { file: project.file, folder: dirname(project.file) }
    const found = await readLocalSource(ports.disk, place, { written: path, kind: 'file' })
    if (found.type === 'problem') {
      faults.push(
        ...problem('session.file-unusable', { detail: found.detail, ...(found.fix ? { fix: found.fix } : {}) })
          .diagnostics,
      )
      continue
    }
    const name = `attached~${local.length + 1}`
    names.push(name)
    const sources = new Map([[each, { ...found.source, written: each }]])
    local.push({ kind, name, body: body(each), providers: { names: [provider], by: 'pin' }, sources })
  }
  if (faults.length > 0) throw new Problem(faults)
  return { names, local }
}

/** Uploads files one after the other. If one fails, those before it are removed again. */
export async function uploadAttachments(
  applied: Applied,
  { local }: Attachments,
  { provider, api }: Destination,
): Promise<readonly Uploaded[]> {
  const uploaded: Uploaded[] = []
  try {
    for (const declaration of local) {
      const handler = applied.handler(provider, declaration.kind, api)
      const path = [...declaration.sources.keys()].join()
      const attempt = { subject: provider, mask: (text: string) => applied.options.project.variables.mask(text) }
      const id = await explainingFailures(attempt, () => upload(applied, handler, declaration, { provider, api }))
      uploaded.push({ declaration, path, id })
    }
  } catch (error) {
    await removeUploads(applied, uploaded, { provider, api })
    throw error
  }
  return uploaded
}

/** Uploads what is local and mounts everything into a session that exists. */
export async function attachFiles(
  applied: Applied,
  session: Pick<SessionHandle, 'provider' | 'attach'>,
  {
    kind,
    folder,
    written,
  }: { readonly kind: UploadKind; readonly folder: string; readonly written: readonly string[] },
): Promise<readonly { readonly path: string; readonly id: string; readonly mounted: Remote }[]> {
  const { provider } = session
  const attachments = await readAttachments(applied, kind, { folder, written, provider })
  const isLocal = (name: string) => attachments.local.some((declaration) => declaration.name === name)
  const declared = attachments.names
    .filter((name) => !isLocal(name))
    .map((name) => declaredFile(applied, kind, name, provider))
  const uploaded = await uploadAttachments(applied, attachments, { provider })
  const attached = []
  for (const { path, id, name } of [...declared, ...uploaded.map((file) => ({ ...file, name: basename(file.path) }))])
    attached.push({ path, id, mounted: await session.attach({ id, name }) })
  return attached
}

function declaredFile(applied: Applied, { kind }: UploadKind, name: string, provider: string) {
  const { row, address, declaration } = applied.find({ kind, name, provider })
  if (row.id === null) throw notApplied(address)
  const [source] = declaration?.sources.values() ?? []
  return { path: name, id: row.id, name: source?.baseName ?? name }
}

/** Removes uploads that nothing uses, as far as the provider lets it. */
export async function removeUploads(
  applied: Applied,
  uploaded: readonly Uploaded[],
  { provider, api }: Destination,
): Promise<void> {
  for (const { declaration, id } of uploaded)
    await applied
      .handler(provider, declaration.kind, api)
      .remove(applied.call(provider), id)
      .catch(() => {}) // What is reported is the failure that made it useless.
}

async function upload(
  applied: Applied,
  handler: Handler,
  declaration: Declaration,
  { provider, api = '' }: Destination,
): Promise<string> {
  const { project, ports, signal } = applied.options
  const source = (written: string) => {
    const found = declaration.sources.get(written)
    if (!found) throw new Error(`${written} was never read`)
    return found
  }
  const desired = handler.desired(declaration, { provider, api, project, source, output: () => '' })
  const call = applied.call(provider)
  const remote = await handler.create(call, { desired, sources: declaration.sources, nonce: ports.random.uuid() })
  const { id } = handler.outputs(remote)
  const { ready } = handler
  if (!ready) return id
  let seen: Remote | undefined = remote
  const state = await poll(
    async () => {
      const found = ready.state(seen ?? (await handler.read(call, id)))
      seen = undefined
      return found === 'pending' ? undefined : found
    },
    ready,
    { clock: ports.clock, signal },
  )
  if (state === 'ready') return id
  await handler.remove(call, id).catch(() => {})
  const reason = state === undefined ? 'the provider has not finished checking it' : state.failed
  throw problem('session.file-unusable', {
    address: provider,
    detail: `${[...declaration.sources.keys()].join()}: ${reason}.`,
  })
}
