// Button with a sign, and a name for those who cannot see the sign.
import { type TextName, text } from '../../shared/texts.js'
import { Icon, type IconName } from './icon.js'

interface ButtonProps {
  readonly name: TextName
  readonly icon: IconName
  readonly onClick: () => void
  readonly isOff?: boolean
  /** For a button that turns something on and off. */
  readonly isPressed?: boolean
}

export function Button({ name, icon, onClick, isOff = false, isPressed }: ButtonProps) {
  return (
    <button
      type="button"
      class="button"
      title={text(name)}
      aria-label={text(name)}
      disabled={isOff}
      onClick={onClick}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
    >
      <Icon name={icon} />
    </button>
  )
}
