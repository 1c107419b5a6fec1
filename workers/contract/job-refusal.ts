// Refusal of a job, with a code.

/**
 * Codes of refusals, which the server sends to clients; everything else that a job throws is a failure of the engine.
 */
export const refusalCodes = [
  'InvalidArg',
  'NotFound',
  'DocPasswordRequired',
  'DocPasswordIncorrect',
  'DocOpenFailed',
  'MalformedPdf',
  'PayloadTooLarge',
  'ObjectNumberUnavailable',
  'LayerFull',
  'ChangeConflict',
  'ProtectedDocument',
  'UndoUnavailable',
  'ProtectedDocument',
  'SignatureRefused',
  /** Internal code for the server, which repeats the request with the images. */
  'OverlayWanted',
  /** Internal code for the server, which has the file repaired and repeats the request. */
  'RepairWanted',
] as const
export type JobRefusalCode = (typeof refusalCodes)[number]

/** Refusal that jobs throw. It is sent to the pool as plain data and thrown again there. */
export class JobRefusal extends Error {
  constructor(
    readonly code: JobRefusalCode,
    message: string,
    readonly details?: Readonly<Record<string, unknown>>,
  ) {
    super(message)
    this.name = 'JobRefusal'
  }
}
