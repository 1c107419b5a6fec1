// Schemas of the position and look of a widget in writes.
import { type Static, Type } from 'typebox'
import { WrittenActionTree } from './action-tree.js'
import { flagMembers } from './annotations/common.js'
import { WidgetAnnotation } from './annotations/widget.js'
import { BlendMode } from './blend-mode.js'
import { BorderStyle } from './border-style.js'
import { Color } from './color.js'
import { Nullable } from './nullable.js'
import { Length } from './numbers.js'
import { PageBox } from './page-box.js'
import { PageRef } from './page-ref.js'
import { QuarterTurn } from './quarter-turn.js'
import { readOnlyMembersOf } from './read-only.js'
import { StandardFont } from './standard-font.js'
import { strict } from './strict.js'
import { TextAlign } from './text-align.js'

/** Members of the look; null = as if the file did not have the entry. */
export const lookMembers = {
  rotation: Type.Optional(Nullable(QuarterTurn)),
  /** Colour of the border. */
  color: Type.Optional(Nullable(Color)),
  /** Colour of the background. */
  interiorColor: Type.Optional(Nullable(Color)),
  strokeWidth: Type.Optional(Length),
  borderStyle: Type.Optional(BorderStyle),
  fontFamily: Type.Optional(Nullable(StandardFont)),
  /** Font size in points; 0 = as large as fits. */
  fontSize: Type.Optional(Nullable(Length)),
  fontColor: Type.Optional(Nullable(Color)),
  textAlign: Type.Optional(TextAlign),
  /** Caption, for push buttons only. */
  caption: Type.Optional(Nullable(Type.String())),
}
const WidgetLook = Type.Object(lookMembers)
export type WidgetLook = Static<typeof WidgetLook>

export const WidgetPlacement = Type.Object(
  {
    page: PageRef,
    rect: PageBox,
    /** Export value of a checkbox or radio button that is on. */
    exportValue: Type.Optional(Type.String({ minLength: 1 })),
    ...lookMembers,
  },
  strict,
)
export type WidgetPlacement = Static<typeof WidgetPlacement>

const flags = Type.Partial(Type.Object(flagMembers)).properties

/** Actions by event: a tree sets them, null removes them, absent events stay unchanged. */
export const ActionsPatch = Type.Partial(
  Type.Object({
    activate: Nullable(WrittenActionTree),
    cursorEnter: Nullable(WrittenActionTree),
    cursorExit: Nullable(WrittenActionTree),
    mouseDown: Nullable(WrittenActionTree),
    mouseUp: Nullable(WrittenActionTree),
    focus: Nullable(WrittenActionTree),
    blur: Nullable(WrittenActionTree),
    pageOpen: Nullable(WrittenActionTree),
    pageClose: Nullable(WrittenActionTree),
    pageVisible: Nullable(WrittenActionTree),
    pageInvisible: Nullable(WrittenActionTree),
  }),
  strict,
)
export type ActionsPatch = Static<typeof ActionsPatch>

const writtenMembers = {
  rect: Type.Optional(PageBox),
  box: Type.Optional(PageBox),
  ...lookMembers,
  contents: Type.Optional(Nullable(Type.String())),
  subject: Type.Optional(Nullable(Type.String())),
  blendMode: Type.Optional(BlendMode),
  ...flags,
  actions: Type.Optional(Nullable(ActionsPatch)),
}

/** Schema of a patch. Members of a read that no write sets (`field`, `hasAppearance`) are ignored. */
export const WidgetPatch = Type.Object(
  { ...writtenMembers, ...readOnlyMembersOf(WidgetAnnotation, writtenMembers) },
  strict,
)
const WrittenWidget = Type.Object(writtenMembers)
export type WidgetPatch = Static<typeof WrittenWidget>
