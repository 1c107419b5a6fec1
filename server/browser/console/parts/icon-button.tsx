// Button with a sign alone. Its label names also what it is for, so that no two of a list read the same.
import { Icon, type IconName } from './icon.js'

interface IconButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly onClick: () => void
  readonly isOff?: boolean
}

export const IconButton = ({ icon, label, onClick, isOff = false }: IconButtonProps) => (
  <button type="button" class="icon-button" title={label} aria-label={label} disabled={isOff} onClick={onClick}>
    <Icon name={icon} />
  </button>
)
