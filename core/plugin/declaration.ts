// Declarations of agents.yaml after parsing, substitution and schema checks, as passed to later stages.
import type { Diagnostic } from '../diagnostic.js'
import type { Json, JsonObject } from '../value/tree.js'

/** Keys and indexes from the top of the file to a node: `['agents', 'helper', 'tools', 'builtin', 0]`. */
export type NodePath = readonly (string | number)[]

/** A declared resource. `Body` is the static type of its kind's schema. */
export interface Declaration<Body = JsonObject> {
  readonly kind: string
  /** Logical name: the key under the section. */
  readonly name: string
  /**
   * Declared fields: aliases are canonical, and `instructions` are read from their file. Free text may contain
   * placeholders of variables (`core/value/placeholder.ts`); other texts contain one only if the variable is not set.
   */
  readonly body: Body
  readonly providers: { readonly names: readonly string[]; readonly by: 'pin' | 'default' }
  /** Local files and folders that the body names, by the text written there. */
  readonly sources: ReadonlyMap<string, LocalSource>
  /**
   * Values of variables in structural words of the body, and words that contain such values, mapped to their form with
   * placeholders. A leaf that contains one of them is sensitive.
   */
  readonly inserted?: ReadonlyMap<string, string>
}

/** A file or folder on disk that a declaration names. Digests are lower-case hex SHA-256. */
export interface LocalSource {
  /** Path as written in agents.yaml, with the values of variables. */
  readonly written: string
  /** Path as written in agents.yaml, with references to variables; only if it has any. */
  readonly unexpanded?: string
  /** Absolute path. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly baseName: string
  /** Digest of the bytes of a file, or of the sorted list of relative paths and digests of a folder. */
  readonly sha256: string
  readonly sizeBytes: number
  /** Text of the file that a folder must hold, by its schema. */
  readonly held?: string
  /** Regular files below a folder, sorted, `/` between names; for a file, itself under its base name. */
  readonly files: readonly SourceFile[]
}

export interface SourceFile {
  readonly path: string
  /** Digest and size of what is sent. */
  readonly sha256: string
  readonly sizeBytes: number
  /** True if the file begins with a byte order mark, which is not sent. */
  readonly hasByteOrderMark?: true
}

export interface ProviderDeclaration {
  /** Canonical name, or the key of a third-party provider or of a dialect. */
  readonly name: string
  /** Configuration as declared, with placeholders, without the keys below. */
  readonly configuration: JsonObject
  /** Package or path of a third-party plugin. */
  readonly plugin?: string
  /** Canonical name of the built-in provider that a dialect is like. */
  readonly like?: string
}

/** The whole file after the checks. Rules and handlers read other declarations from it. */
export interface Project {
  /** Value of `project`. Absent: the name of the folder counts. */
  readonly name?: string
  /** Absolute path of agents.yaml. */
  readonly file: string
  /** Absolute path of the folder of agents.yaml, which also contains state, lock and `.env`. */
  readonly folder: string
  readonly providers: ReadonlyMap<string, ProviderDeclaration>
  /** `provider` and, by kind, the declaration that resources of other kinds fall back to (`identity`). */
  readonly defaults: { readonly provider?: string; readonly [kind: string]: string | undefined }
  readonly declarations: readonly Declaration[]
  find(kind: string, name: string): Declaration | undefined
  ofKind(kind: string): readonly Declaration[]
  readonly variables: Variables
}

/** Values of variables. They are never printed; `mask` hides them in a text. */
export interface Variables {
  /** Returns the value, or undefined when it is set nowhere. */
  value(name: string): string | undefined
  /** Replaces every known value of a variable that the file uses by `(sensitive)`. */
  mask(text: string): string
}

/** A problem that a rule found. The declaration stage adds its position in the file. */
export interface Finding {
  /** Path inside the declaration's body; `[]` is the declaration itself. */
  readonly at: readonly (string | number)[]
  /** True to underline the key instead of the value. */
  readonly onKey?: boolean
  readonly detail: string
  /** Replaces the rule's own fix. */
  readonly fix?: string
}

export type Diagnose = (findings: Iterable<Finding>) => readonly Diagnostic[]
export type { Json, JsonObject }
