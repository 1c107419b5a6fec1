// Views of a page in XFDF (ISO 19444-1): an element for every kind, whose attributes are its members with a capital
// letter, in the coordinates of the file.
import type { Destination } from '../../contract/destination.js'

export type ViewMember = 'left' | 'bottom' | 'right' | 'top' | 'zoom'

export interface LinkView {
  readonly kind: Destination['kind']
  readonly element: string
  readonly members: readonly ViewMember[]
}

export const linkViews: readonly LinkView[] = [
  { kind: 'xyz', element: 'XYZ', members: ['left', 'top', 'zoom'] },
  { kind: 'fit', element: 'Fit', members: [] },
  { kind: 'fitB', element: 'FitB', members: [] },
  { kind: 'fitH', element: 'FitH', members: ['top'] },
  { kind: 'fitBH', element: 'FitBH', members: ['top'] },
  { kind: 'fitV', element: 'FitV', members: ['left'] },
  { kind: 'fitBV', element: 'FitBV', members: ['left'] },
  { kind: 'fitR', element: 'FitR', members: ['left', 'bottom', 'right', 'top'] },
]

export const attributeOf = (member: ViewMember): string => `${member.slice(0, 1).toUpperCase()}${member.slice(1)}`

export const isAcross = (member: ViewMember): boolean => member === 'left' || member === 'right'
