// Input of the judges: a download, and the state that is expected of it.
import type { Sheet } from '../boxes.js'
import type { DocumentState, Touched } from '../state.js'
import type { Measured } from './measured.js'
import type { Picture } from './pictures.js'

export interface Complaint {
  readonly judge: string
  readonly what: string
  readonly expected: unknown
  readonly got: unknown
}

export interface Case {
  readonly now: Measured
  readonly state: DocumentState
  /** Source files of pages, by name. */
  readonly documents: ReadonlyMap<string, Measured>
  /** Object numbers of pages whose pictures are compared; one more is always added. */
  readonly lookedAt: readonly number[]
  /** Renders a page with our server; undefined if it renders none. */
  readonly ours: (number: number, sheet: Sheet, width: number) => Promise<Picture | undefined>
  /** File before the op, if pages must look the same, except where programs draw in ways of their own. */
  readonly looksLike?: { readonly file: Measured; readonly without: OwnWays }
}

/** Regions by program and object number of the page. */
export type OwnWays = Readonly<Record<'poppler' | 'mutool', Touched>>

export const baseOf = ({ documents }: Case): Measured => {
  const base = documents.get('base')
  if (base === undefined) throw new Error('There is no base')
  return base
}

/** Tells whether the file before replaces its text or colours by others. */
export async function replaces(given: Case, kind: 'replacesText' | 'replacesColors'): Promise<boolean> {
  const examined = await baseOf(given).examined()
  return 'pages' in examined && examined[kind]
}
