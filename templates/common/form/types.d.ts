// What the order page knows, as its host packed it (pbem/text/formpage.py), and what a game's own script can add.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Order = any; // as the game's schema has it; `fitting` in model.js lets nothing else reach a game's script

/** One thing that may be ordered, with what is told of it. */
export interface Choice {
  order: Order;
  note: string;
  words?: string; // the order in the words of its rules
}

/** What may stand at some places of an order; the path "" is that of a whole order. */
export interface Menu {
  title: string;
  paths: string[];
  items: Choice[];
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

export type Wanted = any; // a value, several of which one is enough, or {not, at_least, at_most, has}

/** A line of orders, as players write it. */
export interface Line {
  at?: string;
  when?: { [path: string]: Wanted };
  keep?: boolean;
  until?: string;
  if_silent?: boolean;
  do?: Order;
  words?: string; // the order in the words of its rules, where it came with the page
}

/** Orders, as they are sent. */
export interface Doc {
  game: string;
  seat: string;
  key?: string;
  orders?: Line[] | "none";
  stop_if?: { [path: string]: Wanted };
  press?: { to: string | string[]; say: string; anonymous?: boolean }[];
  wait?: boolean;
  partial?: boolean;
  detail?: Json;
}

/** Something that is wrong, at a path of the orders. */
export interface Fault {
  path: (string | number)[];
  text: string;
  hint?: string;
  atKey?: boolean;
  kind?: string;
  elsewhere?: boolean;
  bearable?: boolean;
  line?: number;
  column?: number;
}

/** What becomes of a line as things stand. */
export interface Prospect {
  standing: string;
  lines: string[];
  isJudged?: boolean;
}

/** The facts of a report that the page is made of. */
export interface Data {
  game: string;
  seat: string;
  key_asked: boolean;
  marker: string;
  address: string;
  subject: string;
  ask: { mine: boolean; kind: string; label: string; next: string; after: string };
  deadline: string;
  view: any;
  facts: any;
  hints: any;
  schema: any;
  menus: Menu[];
  tried: { order: Order; lines?: number[]; problems?: Fault[] }[];
  said: string[];
  names: { [id: string]: string };
  called: { [id: string]: string };
  records: string[];
  labels: string[];
  players: { seat: string; name: string }[];
  orders: Line[];
  stop_if: { [path: string]: Wanted };
  domains?: { [path: string]: { values?: Json[]; least?: number; most?: number } };
  draft?: { now?: Order; keep?: Order; until?: string; plan?: Line; stop?: { when: { [path: string]: Wanted }; if: string } };
  plan?: { lines: (Line & { note: string })[]; open: string };
}

/** A move on the board, to play ahead by. */
export interface Move {
  seat: string;
  do: Order;
  square?: string;
  words: string;
  worth?: string;
  when: { [path: string]: Wanted };
  since: { [path: string]: Wanted };
  view: any;
}

/** What a game's own script can tell; all of it can be missing. The guide for authors says what each returns. */
export interface Game {
  places?(word: string, order: Order): { title: string; note: string; order: Order }[] | null;
  whyNot?(word: string, order: Order): string;
  isChosen?(word: string, order: Order): boolean;
  drawn?(order: Order): [string, string][];
  supposed?(when: [string, Wanted][], before?: Order): [string, string][];
  options?(path: string, order: Order): Choice[] | null;
  later?(path: string, order: Order): Choice[] | null;
  editor?(context: Context): HTMLElement[] | null;
  start?(name: string, order: Order): number | undefined;
  problems?(order: Order): Fault[] | null;
  lasting?(order: Order): Fault[] | null;
  forecast?(order: Order): string[] | null;
  left?(order: Order, isNow: boolean): string;
  moves?(view: any): Move[];
  told?(view: any): string;
  isOpen?: boolean;
  joins?: { [field: string]: string }; // what stands between the entries of a list, where that is not "and"
}

/** The order whose fields are drawn. */
export interface Context {
  id: string;
  now: boolean;
  order: Order;
  whole: any;
  change(order: Order, isTyped?: boolean): void;
}

/** The parts that only some pages have. */
export interface Parts {
  domains?: { never(path: string, wanted: Wanted): string };
  ready?: { draw(): void; isReady(line: Line): boolean };
  seal?: {
    sealOf(words: string): string;
    field(id: string, title: string, hint: string, value: string | undefined, set: (value: string | undefined) => void): HTMLElement;
  };
  tree?: { start(): void; draw(): void; toldOf(line: Line): string; isStopped(line: Line): boolean; isOn(): boolean };
}

declare global {
  // eslint-disable-next-line no-var
  var pbem: { data: Data; rules?: () => Game; start?: () => void };
}
