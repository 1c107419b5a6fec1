// Notes requests for the log of reads: what a person got to see of a document, and passwords that were refused. Every read of a
// document counts, so that a new one is never forgotten; the table says what kind it is.
import { subjectOf } from '../auth/caller.js'
import type { Context, DocumentContext, Operation, TenantContext } from '../operation/operation.js'
import type { ReadKind } from '../rows/read.js'

/** By the name of the operation. Other reads of a document are of the kind `opened`. */
const kinds: Readonly<Record<string, ReadKind>> = {
  'doc.render': 'shown',
  'doc.render.annotations': 'shown',
  'doc.render.fields': 'shown',
  'doc.render.all': 'shown',
  'doc.annotations.appearances': 'shown',
  'doc.forms.appearances': 'shown',
  'documents.thumbnail': 'shown',
  'doc.geometry': 'text',
  'doc.text': 'text',
  'doc.search.rects': 'text',
  'doc.search.rectsAt': 'text',
  'doc.search.full': 'text',
  'doc.search.fullAt': 'text',
  'doc.annotations.listAll': 'text',
  'doc.annotations.list': 'text',
  'doc.annotations.export': 'text',
  'doc.annotations.previewMarks': 'text',
  'doc.forms.values': 'text',
  'doc.forms.list': 'text',
  'doc.download': 'downloaded',
  'documents.download': 'downloaded',
  'doc.annotations.readAppearance': 'downloaded',
  'doc.annotations.exportAppearance': 'downloaded',
  'doc.attachments.read': 'downloaded',
  'doc.attachments.readOfAnnotation': 'downloaded',
  'doc.pages.extract': 'downloaded',
  'doc.versions.download': 'downloaded',
  'doc.versions.revision': 'downloaded',
  'doc.printed': 'printed',
}

/** Other requests that show something, though they are no GET. */
const openings: ReadonlySet<string> = new Set(['doc.access', 'doc.links.create'])

export function readKindOf({ name, plane, method }: Operation): ReadKind | undefined {
  const kind = kinds[name]
  if (kind !== undefined) return kind
  return plane === 'document' && (method === 'GET' || openings.has(name)) ? 'opened' : undefined
}

type AnyContext = Context | TenantContext | DocumentContext
type Params = Readonly<Record<string, string | undefined>>

/** Runs the work of a request, and notes that it succeeded. */
export async function noted<Result>(
  operation: Operation,
  { context, params }: { readonly context: AnyContext; readonly params: Params },
  work: () => Promise<Result>,
): Promise<Result> {
  if (!('tenant' in context) || context.tenant.row.auditReads !== true) return work()
  const result = await refusalsNoted(context, work)
  const kind = readKindOf(operation)
  if (kind !== undefined) await note(kind, context, params)
  return result
}

/** Runs work that may refuse a password, and notes that. */
export async function refusalsNoted<Result>(
  context: TenantContext | DocumentContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (context.tenant.row.auditReads === true && isWrongPassword(error)) await note('password-refused', context, {})
    throw error
  }
}

const isWrongPassword = (error: unknown): boolean => (error as { code?: unknown }).code === 'DocPasswordIncorrect'

async function note(kind: ReadKind, context: TenantContext | DocumentContext, params: Params): Promise<void> {
  const { deployment, tenant, caller, address } = context
  const document = 'document' in context ? context.document.internal : await documentOf(context, params['id'])
  if (document === undefined) return
  const [, page] = /^obj:([1-9]\d{0,9})$/.exec(params['pageKey'] ?? '') ?? []
  deployment.readLog.note({
    tenant: tenant.internal,
    document,
    kind,
    layerName: 'layerName' in context ? context.layerName : null,
    sub: subjectOf(caller),
    share: caller.kind === 'document' ? caller.share : undefined,
    address,
    page: page === undefined ? undefined : Number(page),
  })
}

async function documentOf({ deployment }: TenantContext, id: string | undefined): Promise<string | undefined> {
  return id === undefined ? undefined : (await deployment.tables.documentIds.get([id]))?.document
}
