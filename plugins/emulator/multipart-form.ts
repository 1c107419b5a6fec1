// Reads multipart forms: text fields into an object, files into memory, names with their folders.
import type { FastifyRequest } from 'fastify'
import { refuse, type UploadedFile } from './contract.js'

export const formLimits = { fileBytesMax: 64 * 1024 * 1024, filesMax: 2_000, fieldsMax: 100 } as const

/**
 * Options of the multipart plugin. `preservePath` keeps folders in file names: skills are uploaded as
 * `folder/SKILL.md`.
 */
export const multipartOptions = {
  preservePath: true,
  limits: {
    fileSize: formLimits.fileBytesMax,
    files: formLimits.filesMax,
    fields: formLimits.fieldsMax,
    parts: formLimits.filesMax + formLimits.fieldsMax,
  },
} as const

export async function readForm(
  request: FastifyRequest,
): Promise<{ readonly fields: Record<string, string>; readonly files: readonly UploadedFile[] }> {
  if (!request.isMultipart()) throw refuse('invalid', 'the body must be multipart/form-data')
  const fields: Record<string, string> = {}
  const files: UploadedFile[] = []
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      const bytes = await part.toBuffer()
      files.push({ field: part.fieldname, filename: part.filename, mimeType: part.mimetype, bytes })
    } else {
      fields[part.fieldname] = String(part.value)
    }
  }
  return { fields, files }
}
