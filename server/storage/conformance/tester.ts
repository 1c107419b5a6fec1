// What the conformance suites are run by: tap. An adapter's whole test is one call.
import type { Test } from 'tap'

export type Tester = Test
