// A service of a later day: every object in its answers, at every level, has a member that no handler knows. Writes can
// be captured: they are recorded and not delivered, so that the service itself need not know the members.
import type { Http, HttpResponse } from '../ports/http.js'
import { nodeHttp } from '../ports/node-http.js'
import { isObject, type Json, type JsonObject } from '../value/tree.js'

const laterName = /^later\d+x$/

/** A member of the later service, by its unique name, and its path; elements of lists are `*`. */
export interface LaterMember {
  readonly name: string
  readonly path: readonly string[]
}

export class LaterService {
  private count = 0
  private captured: string[] | undefined
  private answer: JsonObject = {}

  readonly http: Http = async (request) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (this.captured && !isRead && !request.isSignIn) {
      if (typeof request.body === 'string') this.captured.push(request.body)
      return { status: 200, headers: new Headers(), text: JSON.stringify(this.answer) }
    }
    const response = await nodeHttp(request)
    return { ...response, text: this.added(response) }
  }

  /** Returns the bodies of the requests that `write` sends. Each of them is answered with `answer`. */
  async capture(answer: JsonObject, write: () => Promise<unknown>): Promise<readonly string[]> {
    const captured: string[] = []
    this.captured = captured
    this.answer = answer
    try {
      await write()
    } catch (error) {
      // Requests after one that was not delivered may fail.
      if (captured.length === 0) throw error
    } finally {
      this.captured = undefined
    }
    return captured
  }

  private added({ text }: HttpResponse): string {
    try {
      return JSON.stringify(this.withMembers(JSON.parse(text)))
    } catch {
      return text
    }
  }

  private withMembers(value: Json): Json {
    if (Array.isArray(value)) return value.map((element) => this.withMembers(element))
    if (!isObject(value)) return value
    const name = `later${++this.count}x`
    const members = Object.entries(value).map(([key, member]) => [key, this.withMembers(member ?? null)])
    return { ...Object.fromEntries(members), [name]: name }
  }
}

/** Returns the value as the service of today has it. */
export function withoutLater<Value extends Json>(value: Value): Value
export function withoutLater(value: Json): Json {
  if (Array.isArray(value)) return value.map((element) => withoutLater(element))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([key]) => !laterName.test(key))
  return Object.fromEntries(members.map(([key, member]) => [key, withoutLater(member ?? null)]))
}

export function laterMembers(value: Json | undefined, path: readonly string[]): readonly LaterMember[] {
  if (Array.isArray(value)) return value.flatMap((element: Json) => laterMembers(element, [...path, '*']))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    laterName.test(key) ? [{ name: key, path }] : laterMembers(member, [...path, key]),
  )
}
