// The session of whoever is signed in, for every part of the console.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Session } from './session.js'

export const Current = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(Current)
  if (session === undefined) throw new Error('Nobody is signed in')
  return session
}
