// What the order page knows, as its host packed it (pbem/text/reports/formpage.py), and what a game's own script can add.
// What comes from a player's text is `unknown` until it was looked at; orders reach a game's script once they fit its
// schema. View, hints and orders are each game's own: its script says their types, and here they can be anything.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = { [name: string]: unknown };
export type Path = (string | number)[];

/** An order of any game, as its schema has it. */
export type Order = any;

/** A JSON Schema, as far as the schemas of orders use it. */
export interface Schema {
  $ref?: string;
  $defs?: { [name: string]: Schema };
  title?: string;
  description?: string;
  type?: string | string[];
  const?: Json;
  enum?: Json[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  properties?: { [name: string]: Schema };
  required?: string[];
  additionalProperties?: Rule;
  minProperties?: number;
  maxProperties?: number;
  allOf?: Schema[];
  anyOf?: Rule[];
  oneOf?: Rule[];
  not?: Rule;
  if?: Schema;
  then?: Schema;
  else?: Schema;
}

/** What a value must fit; `true` is fitted by all, `false` by nothing. */
export type Rule = Schema | boolean;

/** One thing that may be ordered, with what is told of it. */
export interface Choice<Order = any> {
  order: Order;
  note: string;
  words?: string; // the order in the words of its rules
}

/** What may stand at some places of an order; the path "" is that of a whole order. */
export interface Menu<Order = any> {
  title: string;
  paths: string[];
  items: Choice<Order>[];
}

/** What can be chosen next, as `choosing.walk` reads it. Sentences are numbers of a list; so are nodes, if `hints` have `nodes`. */
export interface Node {
  // Each choice that can follow, that without a preference first; where it leads, null to stay; what is taken, if that is
  // not the choice itself; whether the next preference may be taken in its place.
  next?: [choice: any, after: Node | number | null, taken?: any, isUnsure?: boolean][];
  not?: { [choice: string]: number }; // why others cannot, where that is otherwise than at the first node
  why?: number; // what is wrong if nothing more is chosen
  most?: number; // at the first node: so many choices there can be
  full?: number; // and what is said of more
  said?: number[]; // what the choices so far bring
  [more: string]: any; // what the rules add
}

/** What must be found at a path: a value, several of which one is enough, or {not, at_least, at_most, has}. */
export type Wanted = unknown;
export type When = { [path: string]: Wanted };

/** A line of orders, as players write it. */
export type Line = {
  at?: string;
  when?: When;
  keep?: boolean;
  until?: string;
  if_silent?: boolean;
  do?: Order;
  words?: string; // the order in the words of its rules, where it came with the page
};

/** A message to other players. */
export interface Message {
  to: string | string[];
  say: string;
  anonymous?: boolean;
}

/** Orders, as they are sent. */
export type Doc = {
  game: string;
  seat: string;
  key?: string;
  orders?: Line[] | "none";
  stop_if?: When;
  press?: Message[];
  wait?: boolean;
  partial?: boolean;
  detail?: Json;
};

/** The same as they were typed: anything can stand in each field. */
export type Typed<Thing> = { [Name in keyof Thing]?: unknown };

/** Something that is wrong, at a path of the orders. */
export interface Fault {
  path: Path;
  text: string;
  hint?: string;
  atKey?: boolean;
  kind?: string;
  elsewhere?: boolean;
  bearable?: boolean;
  /** Nothing is wrong yet: the text says what nobody can know in a position played ahead. */
  unknown?: boolean;
}

/** Where something stands in a text: both are counted from 1. */
export interface Place {
  line: number;
  column: number;
}

/** Something that is wrong, and where in the text. */
export type Found = Omit<Fault, "path"> & { path?: Path } & Place;

/** A value that was read from a text, with the places of each value and each key, by its path as JSON. */
export interface Read<Value> {
  value: Value;
  marks: Map<string, Place>;
  keys: Map<string, Place>;
}

/** The rows of a text in which orders stand: their number, and how far in they begin. */
export type Row = { line: number; shift: number; depth: number; text: string };

/** Orders in a text that holds more. */
export interface Excerpt {
  rows: Row[];
  text: string;
}

/** What becomes of a line as things stand. */
export interface Prospect {
  standing: "plays" | "if silent" | "not now" | "else" | "later" | "refused";
  lines: string[];
  isJudged?: boolean;
  /** What the stop does to it stands among its lines. */
  isStopped?: boolean;
}

/** What is wrong with orders, what becomes of each line, and what only the host can judge. */
export interface Judgement {
  problems: Fault[];
  prospects: Prospect[];
  unjudged: string[];
  isBlank: boolean;
}

/** What can ever stand at a path of the view. */
export interface Domain {
  values?: Json[];
  least?: number;
  most?: number;
}

/** What a predicate is told: what it can be, by id as it is called; `default` where nothing need be said. */
export interface Argument {
  name: string;
  values: { [id: string]: string };
  default?: string;
  also?: { [word: string]: string };
}

/** A condition that the rules declare. */
export interface Predicate {
  sentence: string;
  term: When;
  arguments: Argument[];
  number?: { least?: number; most?: number; default?: { [bound: string]: number } };
}

/** A predicate as it is told: of each argument the ids of which one is meant, the test of the number, and whether it is so. */
export interface Said {
  ids: { [name: string]: string[] };
  number: { [bound: string]: number };
  isSo: boolean;
}

/** The facts of a report that the page is made of. */
export interface Data<View = any, Hints = any, Order = any> {
  game: string;
  seat: string;
  key_asked: boolean;
  marker: string;
  address: string;
  subject: string;
  ask: { mine: boolean; kind: string; label: string; next: string; after: string };
  deadline: string;
  view: View;
  facts: { [pattern: string]: string };
  predicates?: { [name: string]: Predicate };
  hints: Hints;
  schema: Schema & { $defs: { [name: string]: Schema } };
  menus: Menu<Order>[];
  tried: { order: Order; lines?: number[]; problems?: Fault[] }[];
  said: string[];
  names: { [id: string]: string };
  called: { [id: string]: string };
  records: string[];
  labels: string[];
  last?: number;
  players: { seat: string; name: string }[];
  orders: Line[];
  stop_if: When;
  domains?: { [path: string]: Domain };
  draft?: { now?: Order; keep?: Order; until?: string; plan?: Line; stop?: { when: When; if: string } };
  plan?: { lines: ReadyLine[]; open: string };
}

/** A line that the rules have ready, with what it answers. */
export type ReadyLine = Line & { note: string };

/** A move on the board, to play ahead by. */
export interface Move<View = any, Order = any> {
  seat: string;
  do: Order | null; // null: nothing can be done
  square?: string;
  words: string;
  worth?: string;
  when: When;
  since: When;
  view: View;
}

/** A place of the board, and what an order draws there: pale, or "solid"; "?" at what may be elsewhere by then. */
export type Drawn = [place: string, mark: string, kind?: "solid"];

/** What a place of the board can mean for an order. */
export interface Meaning<Order = any> {
  title: string;
  note?: string;
  order: Order;
  /** Whether it is asked for although nothing else can be meant: it spends something. */
  asks?: boolean;
}

/** What stands at some place of an order, and what may stand there. */
export type Offered = Pick<Menu, "title" | "items">;

/** What stands in a line: an order that fits the schema, or no order at all. */
export type Given<Order = any> = Order | undefined | null | boolean | number | string | unknown[];

/** What a game's own script can be asked; all of it can be missing. The guide for authors says what each returns. */
export interface Answers<Order = any, View = any> {
  places(word: string, order: Given<Order>): Meaning[] | null;
  words(order: Order): string | undefined;
  whyNot(word: string, order: Given<Order>, isThing?: boolean, view?: View): string;
  isChosen(word: string, order: Given<Order>): boolean | undefined;
  drawn(order: Given<Order>): Drawn[];
  supposed(before?: Given<Order>): Drawn[];
  options(path: string, order: Given<Order>): Choice[] | null | undefined;
  later(path: string, order: Given<Order>): Choice[] | null;
  editor(context: Context<Order>): HTMLElement[] | null;
  start(name: string, order: Given<Order>): number | undefined;
  problems(order: Order, view?: View): Fault[] | null;
  lasting(order: Order, ahead?: [line: Line, played?: Line]): Fault[] | null; // ahead: that line as the host looks ahead at it, and what is played now
  forecast(order: Order): string[] | null;
  left(order: Order, isNow: boolean): string;
  brief(told: string[]): string[];
  moves(view: View): Move<View, Order>[];
  told(view: View): string;
}

/** What a game's own script gives to the page. */
export interface Game<Order = any, View = any> extends Partial<Answers<Order, View>> {
  isOpen?: boolean;
  joins?: { [field: string]: string }; // what stands between the entries of a list, where that is not "and"
}

/** The order whose fields are drawn. */
export interface Context<Order = any> {
  id: string;
  now: boolean;
  order: Order;
  whole: Schema & { properties: { [name: string]: Schema } };
  change(order: Order, isTyped?: boolean): void;
}

/** The parts that only some pages have. */
export interface Parts {
  domains?: { never(path: string, wanted: Wanted, thing: string): [text: string, hint?: string] | undefined };
  ready?: { draw(): void; noteOf(line: Typed<Line>): string | undefined; isReady(line: Typed<Line>): boolean; isOther(): boolean };
  seal?: {
    sealOf(words: string): string;
    field(id: string, title: string, hint: string | undefined, value: unknown, set: (value: string | undefined) => void): HTMLElement;
  };
  /** `unsaid` is the mark of which nobody knows where it is; `make` is called with a move that is clicked. */
  position?: { marks(): string[], draw(view: Data["view"] | null, found: Move[], order: Move | undefined, unsaid: string, make: (move: Move) => void): void };
  tree?: { start(): void; draw(): void; toldOf(line: Typed<Line>): string; isStopped(line: Typed<Line>): boolean; isOn(): boolean; outlook(line: Typed<Line>): Fault | null | undefined; isOffered(): boolean; toldAt(square: string): string; canBe(line: Line): boolean; movesBefore(line: Line): Move[] | undefined };
}

/** What can stand in an element; of nothing, nothing is drawn. */
export type Child = globalThis.Node | string | null | undefined;

/** Attributes of an element, and listeners to its events. */
export type Attributes = { [name: string]: string | number | boolean | undefined | ((event: Event) => void) };

/** The elements of the page by their ids: those of its template, and others that may be there. */
export interface At {
  <Id extends keyof Elements>(id: Id): Elements[Id];
  (id: string): HTMLElement | null;
}

/** The elements of the template; parts that only some pages have use those that are there with them. */
type Elements = { [Id in Plain]: HTMLElement } & { [Id in Button]: HTMLButtonElement } & {
  "board-later": HTMLElement | null;
  "open-for": HTMLElement | null;
  fields: HTMLFieldSetElement;
  go: HTMLAnchorElement;
  mail: HTMLAnchorElement;
  ready: HTMLDetailsElement;
  "text-fold": HTMLDetailsElement;
  tree: HTMLDetailsElement;
  yaml: HTMLTextAreaElement;
};
type Button = "add-keep" | "add-line" | "add-press" | "back" | "copy" | "redo" | "save" | "share" | "take-all" | "take-over"
  | "undo" | "walk-back" | "walk-now" | "walk-on";
type Plain = "app" | "bar" | "bar-at" | "board" | "board-choice" | "board-said" | "done" | "flags" | "how" | "kept" | "lines" | "long"
  | "loosely" | "more" | "none" | "now" | "numbers" | "pending" | "pending-said" | "plain" | "press" | "problems"
  | "ready-for" | "ready-lines" | "ready-stop" | "ready-taken" | "said" | "stop" | "text-count" | "tree-count" | "tree-lines"
  | "unadded" | "verdict" | "walk" | "walk-at" | "walk-moves";

declare global {
  // eslint-disable-next-line no-var
  var pbem: { data: Data; rules?: () => Game; start?: () => void };
}
