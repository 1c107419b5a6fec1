// The conformance suite on Bailian, against its emulator.
import t from 'tap'
import { conformance } from '../../core/conformance/conformance.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { bailianSubject } from './subjects/bailian.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)
await conformance(t, { ...bailianSubject, ...sampleOf(1) })
