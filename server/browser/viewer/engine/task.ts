// Work as a task of the viewer: it may be abandoned while it runs.
import { PdfErrorCode, type PdfErrorReason, type PdfTask, PdfTaskHelper } from '@embedpdf/models'
import { ApiError } from '../../shared/api-error.js'

export function taskOf<Result, Progress = unknown>(
  work: (signal: AbortSignal, report: (progress: Progress) => void) => Promise<Result>,
): PdfTask<Result, Progress> {
  const task = PdfTaskHelper.create<Result, Progress>()
  const controller = new AbortController()
  task.wait(
    () => {},
    ({ type }) => {
      if (type === 'abort') controller.abort()
    },
  )
  work(controller.signal, (progress) => task.progress(progress)).then(
    (result) => task.resolve(result),
    (error: unknown) => task.reject(reasonOf(error)),
  )
  return task
}

function reasonOf(error: unknown): PdfErrorReason {
  if (!(error instanceof ApiError)) return { code: PdfErrorCode.Unknown, message: String(error) }
  return { code: pdfCodes[error.code] ?? PdfErrorCode.Unknown, message: error.message }
}

const pdfCodes: Readonly<Record<string, PdfErrorCode>> = {
  DocPasswordRequired: PdfErrorCode.Password,
  DocPasswordIncorrect: PdfErrorCode.Password,
  NotFound: PdfErrorCode.NotFound,
  Forbidden: PdfErrorCode.Security,
}
