// The stages of the conformance suite, in the order in which a new provider is likely to pass them.
import { answerStages } from './stages/answers.js'
import { basicStages } from './stages/basics.js'
import { crashStages } from './stages/crashes.js'
import { driftStages } from './stages/drift.js'
import { editStages } from './stages/edits.js'
import { faultStages } from './stages/faults.js'
import { refusalStages } from './stages/refusals.js'
import { requestStages } from './stages/requests.js'
import { secrecyStages } from './stages/secrecy.js'
import { secretStages } from './stages/secrets.js'
import { serviceStages } from './stages/services.js'
import { statementStages } from './stages/statements.js'
import { survivalStages } from './stages/survival.js'
import type { Runner, Subject } from './subject.js'

export async function runStages(runner: Runner, subject: Subject): Promise<void> {
  const all = [
    basicStages,
    statementStages,
    requestStages,
    serviceStages,
    secrecyStages,
    refusalStages,
    editStages,
    survivalStages,
    secretStages,
    driftStages,
    answerStages,
    faultStages,
    crashStages,
  ].flatMap((stages) => stages(subject))
  for (const { title, run } of all) await runner.test(`${subject.provider.name}: ${title}`, () => run(subject))
}
