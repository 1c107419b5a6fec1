// Signs of the console.
import { StrokeIcon } from '../../shared/stroke-icon.js'

const shapes = {
  upload: 'M10 13V4M6.5 7.5 10 4l3.5 3.5M4 16h12',
  download: 'M10 3v9M6.5 8.5 10 12l3.5-3.5M4 16h12',
  open: 'M8 4H4v12h12v-4M11 3.5h5.5V9M16 4l-7 7',
  remove: 'M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6M8.5 9v4.5M11.5 9v4.5',
  close: 'M5 5l10 10M15 5 5 15',
  reload: 'M15.5 8A6 6 0 1 0 16 11M16 4v4.2h-4.2',
  copy: 'M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z',
  document: 'M5 2.5h6.5L15 6v11.5H5zM11.5 2.5V6H15',
  plus: 'M4 10h12M10 4v12',
  leave: 'M8 4H4v12h4M8 10h9M13.5 6.5 17 10l-3.5 3.5',
} as const

export type IconName = keyof typeof shapes

export const Icon = ({ name }: { readonly name: IconName }) => <StrokeIcon shape={shapes[name]} />
