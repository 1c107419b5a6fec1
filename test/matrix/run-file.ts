// Runs all cases over one file: one upload, a layer per case, judged after every step and its undo.
import type { MatrixFile } from './files/matrix-file.js'
import { OpenedFile, type Tools } from './opened-file.js'
import type { Scene } from './ops/act.js'
import type { MatrixCase } from './ops/index.js'
import type { Finding, Outcome, Report } from './report.js'
import { Steps } from './step.js'

export interface RunOptions extends Tools {
  readonly report: Report
}

export async function runFile(file: MatrixFile, cases: readonly MatrixCase[], options: RunOptions): Promise<void> {
  const take = (name: string, outcome: Outcome) => options.report.take({ file: file.name, case: name, outcome })
  const opened = await OpenedFile.open(file, options)
  if (!(opened instanceof OpenedFile)) return take('upload', opened)
  take('upload', await opened.served())
  for (const one of cases) {
    if (file.isHostile === true && one.isCheap !== true) continue
    take(one.name, await outcomeOf(opened, one).catch(fallen))
  }
  opened.close()
}

function fallen(error: unknown): Outcome {
  const got = error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 3) : String(error)
  return { kind: 'failed', complaints: [{ judge: 'runner', what: 'the case runs', expected: 'yes', got }] }
}

/** Ends at the first step that is refused or has complaints. */
async function outcomeOf(opened: OpenedFile, { name, acts, isRedone = false }: MatrixCase): Promise<Outcome> {
  const layer = opened.layer(name)
  const steps = new Steps(opened)
  const words = ((await opened.base.words()) ?? []).map((page) => page ?? [])
  let { subject, state, base: last } = opened
  const complaints: Finding[] = []
  for (const [index, act] of acts.entries()) {
    const scene: Scene = { subject, state, words, bytes: opened.bytes }
    const plan = act.plan(scene)
    if (plan === undefined) return index === 0 ? { kind: 'nothing' } : { kind: 'judged' }
    const step = await steps.make({ layer, act, plan, scene, last, isRedone })
    complaints.push(...step.complaints.map((complaint) => ({ ...complaint, act: act.name })))
    if (complaints.length > 0) return { kind: 'failed', complaints }
    if (step.refused !== undefined) return { kind: 'refused', reason: step.refused }
    if (step.subject === undefined) break
    subject = step.subject
    state = step.state
    last = step.measured ?? last
  }
  return { kind: 'judged' }
}
