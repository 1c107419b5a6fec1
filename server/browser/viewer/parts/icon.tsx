// Signs of buttons, drawn with strokes in a square of 20 by 20.
import { StrokeIcon } from '../../shared/stroke-icon.js'

const shapes = {
  sidebar: 'M3 4h14v12H3zM8 4v12',
  minus: 'M4 10h12',
  plus: 'M4 10h12M10 4v12',
  search: 'M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M13 13l4 4',
  print: 'M6 7V3h8v4M6 14H3V7h14v7h-3M6 12h8v5H6z',
  download: 'M10 3v9M6.5 8.5 10 12l3.5-3.5M4 16h12',
  up: 'M5 12.5 10 7.5l5 5',
  down: 'M5 7.5l5 5 5-5',
  close: 'M5 5l10 10M15 5 5 15',
  highlight: 'M4 17h12M7 13l-1-3 6-7 4 3-6 7z',
  underline: 'M5 3v6a5 5 0 0 0 10 0V3M4 17h12',
  strikeout: 'M3 10h14M14 6a4 3 0 0 0-8 0c0 2 2 3 4 4s4 2 4 4a4 3 0 0 1-8 0',
  redact: 'M3 7h14v6H3zM5 9h10M5 11h10',
  note: 'M4 3h12v9l-4 5H4zM16 12h-4v5',
  square: 'M4 5h12v10H4z',
  ink: 'M3 15c3-8 5-8 5-3s3 4 4 0 3-5 5-4',
  people: 'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2 17c0-7 11-7 11 0M13 9.5a3 3 0 0 0 0-6M15 12c2 .7 3 2.5 3 5',
  undo: 'M7 5 3.5 8.5 7 12M3.5 8.5H12a4 4 0 0 1 0 8H8',
  redo: 'M13 5l3.5 3.5L13 12M16.5 8.5H8a4 4 0 0 0 0 8h4',
  matchCase: 'M2 15 6 5l4 10M3.4 11.5h5.2M17.5 9.5V15M17.5 12.2a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0',
  wholeWord:
    'M3 13v3h14v-3M8.5 7v4.5M8.5 9.2a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0M11.5 4v7.5M11.5 9.2a2.3 2.3 0 1 1 4.6 0 2.3 2.3 0 0 1-4.6 0',
} as const

export type IconName = keyof typeof shapes

export const Icon = ({ name }: { readonly name: IconName }) => <StrokeIcon shape={shapes[name]} />
