// Heading of what is shown. It gets the focus when another place is opened, so that screen readers read on from there.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function Title({ name, children }: { readonly name: string; readonly children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    document.title = name
  }, [name])
  return (
    <div class="title">
      <h1 ref={heading} tabIndex={-1}>
        {name}
      </h1>
      {children}
    </div>
  )
}
