// The rules of the policy: each permits the changes that it describes and refuses similar ones.
import t from 'tap'
import { type RuleName, rules } from '../../../../workers/signatures/analysis/policy/rules.js'
import { examples } from './support/examples.js'
import { judge, refusedBy } from './support/judge.js'

t.test('every rule has its examples, and no rule has two rows', async (t) => {
  t.same([...new Set(rules.map(({ rule }) => rule))].sort(), Object.keys(examples).sort())
  t.equal(new Set(rules.map(({ rule }) => rule)).size, rules.length)
})

for (const { rule, permits } of rules) {
  const example = examples[rule as RuleName]

  t.test(`${rule} permits ${permits}`, async (t) => {
    const { verdict, findings } = judge(t, example.accepted)
    t.equal(verdict, 'permitted', JSON.stringify(findings))
    t.ok(
      findings.some((finding) => finding.rule === rule) || rule === 'signature-flags',
      `${rule} is among ${findings.map((finding) => finding.rule)}`,
    )
  })

  t.test(`${rule} refuses what is beyond it`, async (t) => {
    const { verdict, findings } = judge(t, example.refused)
    t.equal(verdict, 'forbidden', JSON.stringify(findings))
    const expected = example.refused.restraints?.level === 'none' ? 'nothing-permitted' : rule
    t.ok(
      refusedBy(findings).some((found) => found === expected || found === 'no-rule'),
      `${expected} is among ${refusedBy(findings)}`,
    )
  })
}
