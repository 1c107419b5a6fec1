// A plan says what a removal cannot give back.
import t from 'tap'
import { irreversibleText } from '../../../core/plan/irreversible.js'
import type { Handler } from '../../../core/plugin/handler.js'

const saying = (removal: Handler['removal'], holds?: string) => irreversibleText({ removal }, holds)

t.test('a plan says what a removal loses, by what the provider does and what the object holds', async (t) => {
  t.equal(saying('forget'), 'left behind; the provider cannot remove it')
  t.equal(saying('forget', 'its files'), 'left behind; the provider cannot remove it')
  t.equal(saying('archive'), 'archived for good; it cannot be restored')
  t.equal(saying('archive', 'its memories'), 'archived for good with its memories; it cannot be restored')
  t.equal(saying('delete', 'its memories'), 'deleted with its memories; it cannot be restored')
  t.equal(saying('delete'), undefined, 'a declaration makes it anew')
})
