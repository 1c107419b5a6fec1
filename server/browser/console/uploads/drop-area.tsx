// Takes files that are dropped anywhere on the page, or chosen with the button.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.js'
import { text } from '../texts.js'

interface DropAreaProps {
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ComponentChildren
}

export const DropArea = ({ onFiles, children }: DropAreaProps) => (
  <div class="drop-area">
    {children}
    {useDroppedFiles(onFiles) && <p class="drop-hint">{text('dropHere')}</p>}
  </div>
)

/** Returns true while files are held over the page. */
function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      onFiles([...(event.dataTransfer?.files ?? [])])
    }
    document.addEventListener('dragover', over, { signal })
    document.addEventListener('dragleave', leave, { signal })
    document.addEventListener('drop', drop, { signal })
    return () => controller.abort()
  }, [onFiles])
  return isOver
}

export function ChooseFiles({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    onFiles([...(currentTarget.files ?? [])])
    // The same file can be chosen again.
    currentTarget.value = ''
  }
  return (
    <>
      <button type="button" class="button main" onClick={() => input.current?.click()}>
        <Icon name="upload" />
        {text('upload')}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        accept="application/pdf,.pdf"
        class="unseen"
        tabIndex={-1}
        aria-label={text('chooseFiles')}
        onChange={choose}
      />
    </>
  )
}
