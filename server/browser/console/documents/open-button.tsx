// Button that shows a layer in the viewer.
import { useSession } from '../current.js'
import { Icon } from '../parts/icon.js'
import { ProblemNotice } from '../parts/notice.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'
import { type OpenedLayer, openDocument } from './open-document.js'

interface OpenButtonProps extends OpenedLayer {
  /** What is opened, for those who hear the button alone. */
  readonly name: string
  readonly isMain?: boolean
}

export function OpenButton({ name, isMain = false, ...layer }: OpenButtonProps) {
  const session = useSession()
  const { isBusy, problem, run } = useWork()
  return (
    <>
      <button
        type="button"
        class={isMain ? 'button main' : 'button'}
        disabled={isBusy}
        aria-label={text('openOf', { name })}
        onClick={() => void run(() => openDocument(session, layer))}
      >
        <Icon name="open" />
        <span class="label">{text('open')}</span>
      </button>
      <ProblemNotice problem={problem} />
    </>
  )
}
