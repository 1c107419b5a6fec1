// Test interface of the conformance suites: tap.
import type { Test } from 'tap'

export type Tester = Test
