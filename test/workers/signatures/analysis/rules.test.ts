// The rules of the policy: each permits the changes that it describes and refuses similar ones.
import t from 'tap'
import { type RuleName, rules } from '../../../../workers/signatures/analysis/policy/rules.js'
import { amount, contractTrailer, page, pageAnnotations, textAppearance } from './support/contract.js'
import { examples } from './support/examples.js'
import { judge, refusedBy } from './support/judge.js'

t.test('every rule has its examples, and no rule has two rows', async (t) => {
  t.same([...new Set(rules.map(({ rule }) => rule))].sort(), Object.keys(examples).sort())
  t.equal(new Set(rules.map(({ rule }) => rule)).size, rules.length)
})

t.test('the first permitted finding is the most notable change, not the first object', async (t) => {
  const trailer = contractTrailer.replace(/<[^<]*>\]/, '<aa>]')
  const filled = { 20: amount('999', 78), 78: textAppearance('999') }
  const note = '<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(Note)/P 3 0 R>>'
  const annotated = { 3: page(`${pageAnnotations} 70 0 R`), 70: note }
  for (const [objects, expected] of [
    [{ ...filled, ...annotated }, 'annotation-added'],
    [filled, 'field-value'],
    [{ 70: note }, 'unreferenced-object'],
  ] as const) {
    const { verdict, findings } = judge(t, { updates: [{ objects, trailer }] })
    t.equal(verdict, 'permitted')
    t.equal(findings[0]?.rule, expected, JSON.stringify(findings))
    t.ok(findings.some(({ rule }) => rule === 'file-identifier'))
  }
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
