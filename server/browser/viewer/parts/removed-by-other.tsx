// Says that somebody else removed a comment of the reader, who can bring it back.
import { text } from '../../shared/texts.js'
import { Button } from './button.js'

interface RemovedByOtherProps {
  readonly onBack: () => Promise<void>
  readonly onClose: () => void
}

export function RemovedByOther({ onBack, onClose }: RemovedByOtherProps) {
  return (
    <p class="refusal" role="alert">
      {text('yoursRemoved')}
      <span class="note-actions">
        <button type="button" class="small-button" onClick={() => void onBack().finally(onClose)}>
          {text('bringBack')}
        </button>
        <Button name="close" icon="close" onClick={onClose} />
      </span>
    </p>
  )
}
