// Error that the server answered with, or that kept a request from being answered.

export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    /** HTTP status; 0 = no answer. */
    readonly status: number,
    /** Code for programs: `DocPasswordRequired`. */
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** Returns the error of an answer; proxies answer without a code. */
export async function errorIn(answer: Response): Promise<ApiError> {
  const text = await answer.text().catch(() => '')
  const { code = 'Unknown', message = `HTTP ${answer.status}` } = errorMember(text)
  // A proxy answers for a server that does not.
  const isAway = code === 'Unknown' && [502, 503, 504].includes(answer.status)
  // Documents have another code for it than tenants.
  const named = answer.status === 429 ? 'TooManyRequests' : String(code)
  return new ApiError(answer.status, isAway ? 'Offline' : named, String(message))
}

function errorMember(text: string): { readonly code?: unknown; readonly message?: unknown } {
  try {
    return JSON.parse(text)?.error ?? {}
  } catch {
    return {}
  }
}
