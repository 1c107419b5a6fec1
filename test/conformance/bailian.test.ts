// The conformance suite on Bailian, against its emulator.
import t from 'tap'
import { conformance } from '../../core/plugin/conformance/conformance.js'
import { bailianSubject } from './subjects/bailian.js'

await conformance(t, bailianSubject)
