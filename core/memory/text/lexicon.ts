import { kinds, synonyms } from "./kinds.ts";
import { stem } from "./stem.ts";

export interface RelatedForm {
  readonly form: string;
  readonly stem: string;
  readonly weight: number;
}

/** Forms that no stemmer joins: irregular verbs and plurals, one family a line. */
const families = `
be is are was were been being
go goes going went gone
buy buys buying bought
bring brings bringing brought
think thinks thinking thought thoughts
teach teaches teaching taught teacher
catch catches catching caught
fight fights fighting fought
seek seeks seeking sought
get gets getting got gotten
give gives giving gave given gift gifts
take takes taking took taken
make makes making made
see sees seeing saw seen
meet meets meeting met
feel feels feeling felt
leave leaves leaving left
lose loses losing lost loss
find finds finding found
hold holds holding held
keep keeps keeping kept
sleep sleeps sleeping slept
tell tells telling told
sell sells selling sold sale
send sends sending sent
spend spends spending spent
build builds building built
lend lends lending lent
write writes writing wrote written writer
read reads reading reader
ride rides riding rode ridden
drive drives driving drove driven driver
rise rises rising rose risen
break breaks breaking broke broken
speak speaks speaking spoke spoken speech
steal steals stealing stole stolen
choose chooses choosing chose chosen choice
wear wears wearing wore worn
tear tears tearing tore torn
begin begins beginning began begun
swim swims swimming swam swum swimmer
sing sings singing sang sung singer song
ring rings ringing rang rung
run runs running ran runner
win wins winning won winner
drink drinks drinking drank drunk
eat eats eating ate eaten
fall falls falling fell fallen
grow grows growing grew grown growth
know knows knowing knew known knowledge
throw throws throwing threw thrown
fly flies flying flew flown flight flights
draw draws drawing drew drawn drawings
come comes coming came
become becomes becoming became
hear hears hearing heard
understand understands understood
stand stands standing stood
sit sits sitting sat
pay pays paying paid payment
lay lays laying laid
say says saying said
shoot shoots shooting shot
hang hangs hanging hung
hide hides hiding hid hidden
bite bites biting bit bitten
forget forgets forgetting forgot forgotten
do does doing did done
have has having had
can could
sew sews sewing sewed sewn
show shows showing showed shown
learn learns learning learned learnt
dream dreams dreaming dreamed dreamt
burn burns burning burned burnt
lead leads leading led leader
feed feeds feeding fed
bleed bleeds bleeding bled
die dies dying died death dead
marry marries marrying married marriage wedding
choose chosen choice
decide decides decided deciding decision
move moves moved moving relocate relocated relocation
child children kid kids
man men
woman women
person people
foot feet
tooth teeth
mouse mice
goose geese
life lives
wife wives
knife knives
leaf leaves
half halves
wolf wolves
shelf shelves
`;

/** How much a match by another word counts: the same word in another form, another word for it, a thing of the kind asked for. */
const shares = { form: 0.9, synonym: 0.3, kind: 0.25 } as const;

const related = new Map<string, Map<string, number>>();

function join(form: string, other: string, weight: number): void {
  let known = related.get(form);
  if (!known) {
    known = new Map();
    related.set(form, known);
  }
  if ((known.get(other) ?? 0) < weight) known.set(other, weight);
}

for (const line of families.trim().split("\n")) {
  const family = line.split(" ");
  for (const form of family) for (const other of family) if (other !== form) join(form, other, shares.form);
}

for (const line of synonyms.trim().split("\n")) {
  const family = line.split(" ");
  for (const form of family) for (const other of family) if (other !== form) join(form, other, shares.synonym);
}
for (const line of kinds.trim().split("\n")) {
  const [asking, things] = line.split(": ") as [string, string];
  for (const word of asking.split(" ")) for (const thing of things.split(" ")) join(word, thing, shares.kind);
}

const byStem = new Map<string, Map<string, number>>();
for (const [form, others] of related) {
  const key = stem(form);
  const known = byStem.get(key) ?? new Map<string, number>();
  for (const [other, weight] of others) if ((known.get(other) ?? 0) < weight) known.set(other, weight);
  byStem.set(key, known);
}

/** Other forms of a word, with how much a match by each counts beside the word itself. */
export function relatedForms(form: string, stemmed: string): RelatedForm[] {
  const found = byStem.get(stemmed) ?? related.get(form);
  return found ? [...found].map(([other, weight]) => ({ form: other, stem: stem(other), weight })) : [];
}
