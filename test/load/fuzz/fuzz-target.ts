// What is fuzzed: a session draws cases from seeds, runs them and reports what must not happen.
import type { Draw } from '../draw.js'

export interface FuzzTarget {
  readonly name: string
  /** `folder`: empty folder for files of the session. */
  open(folder: string): Promise<FuzzSession>
}

export interface FuzzCase {
  /** What was changed, in a few words. */
  readonly title: string
  /** Files of the case by name, stored if there are complaints. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
  /** Runs the case and returns the complaints. */
  run(): Promise<readonly string[]>
}

export interface FuzzSession {
  draw(draw: Draw): Promise<FuzzCase>
  /** Ends the session and returns complaints about the whole of it. */
  close(): Promise<readonly string[]>
}
