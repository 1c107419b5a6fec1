// The conformance suite on Claude, against its emulator.
import t from 'tap'
import { conformance } from '../../core/conformance/conformance.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { claudeSubject } from './subjects/claude.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)
await conformance(t, { ...claudeSubject, ...sampleOf(1) })
