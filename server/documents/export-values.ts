// `doc.annotations.export` and `doc.forms.values`: files with the annotations of a layer and the values of its form.
import type { FormValuesFormat } from '../../workers/contract/form-values.js'
import { holds } from '../auth/document-scope.js'
import { permissionBitsIn } from '../operation/authority.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { forbidden } from '../refusals/refusal.js'
import { readOnce } from './read.js'

export const xfdfType = 'application/vnd.adobe.xfdf'

export const valuesTypes: Readonly<Record<FormValuesFormat, string>> = {
  json: 'application/json',
  fdf: 'application/vnd.fdf',
  xfdf: xfdfType,
}

/** Throws `Forbidden` if values are asked for by a caller who may not read the form. */
export async function exportAnnotations(
  context: DocumentContext,
  { values = false }: { readonly values?: boolean },
): Promise<BytesAnswer> {
  if (values) refuseWithoutForms(context)
  const { internal: documentId } = context.document
  const { bytes } = await readOnce(context, (source) =>
    context.deployment.workers.run('exportAnnotations', { source, values, documentId }),
  )
  return fileOf(context, { bytes, contentType: xfdfType, name: 'annotations.xfdf' })
}

export async function sendFormValues(context: DocumentContext, format: FormValuesFormat): Promise<BytesAnswer> {
  const { bytes } = await readOnce(context, (source) =>
    context.deployment.workers.run('formValues', { source, format }),
  )
  if (format === 'json') return { contentType: valuesTypes.json, body: bytes }
  return fileOf(context, { bytes, contentType: valuesTypes[format], name: `values.${format}` })
}

function refuseWithoutForms(context: DocumentContext): void {
  const { caller } = context
  if (caller.kind !== 'document' || caller.scope.isEverything) return
  if (holds(caller.scope, 'doc.forms.read', permissionBitsIn(context))) return
  throw forbidden('values need doc.forms.read', { needs: ['doc.forms.read'] })
}

interface SentFile {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly name: string
}

/** The file is saved and not shown, because its text is that of strangers. */
const fileOf = ({ document }: DocumentContext, { bytes, contentType, name }: SentFile): BytesAnswer => ({
  contentType,
  headers: {
    'Content-Disposition': `attachment; filename="${document.row.id}-${name}"`,
  },
  body: bytes,
})
