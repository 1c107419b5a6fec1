// State of a document in one word.
import { Chip, type Tone } from '../parts/chip.js'
import { type TextName, text } from '../texts.js'
import type { DocumentRecord } from './document.js'

export const stateNames: Readonly<Record<DocumentRecord['state'], TextName>> = {
  pending: 'statePending',
  ready: 'stateReady',
  failed: 'stateFailed',
  deleting: 'stateDeleting',
}

const tones: Readonly<Record<DocumentRecord['state'], Tone>> = {
  pending: 'wait',
  ready: 'good',
  failed: 'bad',
  deleting: 'quiet',
}

export const StateChip = ({ state }: Pick<DocumentRecord, 'state'>) => (
  <Chip tone={tones[state]} label={text(stateNames[state])} />
)
