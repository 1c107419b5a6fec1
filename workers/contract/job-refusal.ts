// A refusal of a job, by its code.

/** Codes of refusals. The server answers these; everything else that a job throws is a failure of the engine. */
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
  'UndoUnavailable',
  /** Only for the server, which asks again with the images; never sent to a client. */
  'OverlayWanted',
  /** Internal code for the server, which has the file repaired and retries. */
  'RepairWanted',
] as const
export type JobRefusalCode = (typeof refusalCodes)[number]

/** Thrown by jobs; crosses the border as plain data and is thrown again by the pool. */
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
