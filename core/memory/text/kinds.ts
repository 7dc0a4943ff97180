/**
 * Words that ask for a kind of thing, with everyday things of that kind: "which instruments does she play?" is answered by
 * "I took up the cello". One kind a line: the asking words, a colon, the things.
 */
export const kinds = `
pet animal: dog puppy cat kitten rabbit hamster parrot bird turtle tortoise fish horse goat snake lizard guinea hound retriever terrier poodle
instrument music: guitar piano violin viola cello drums drum trumpet trombone flute clarinet saxophone accordion harmonica ukulele banjo harp bass keyboard
music musician artist band: song concert album singer band jazz rock classical gig tour
sport exercise fitness workout: soccer football basketball tennis baseball hockey golf swim running marathon cycling bike yoga gym climbing bouldering boxing surfing skiing volleyball hike karate rowing
hobby activity interest pastime leisure: paint pottery ceramics knit sew garden bake cook read write photography hike camp fish dance sing chess swim running climb guitar piano volunteer game draw woodwork
relax destress unwind stress: yoga meditation running walk read paint bath music nature swim therapy pottery
art craft creative: paint draw sketch pottery ceramics sculpture mural photography canvas exhibition gallery watercolor bowl glaze
job work career profession occupation employment living: teacher nurse doctor lawyer engineer accountant manager agency company office boss hired promoted shift clinic shop freelance intern colleague contract position
education study school degree: university college course class exam certificate degree graduate master thesis license lesson training scholarship
food dish meal cuisine: cake bread soup pasta pizza salad rice curry chicken cheese pie sandwich chocolate cookies ice cream bake recipe restaurant roast
drink beverage: coffee tea wine beer juice smoothie cocktail
vehicle car transport: car truck van bike motorcycle bus train boat bicycle prius ford mustang scooter
family relative sibling: mother father mom dad brother sister son daughter wife husband grandmother grandfather grandma grandpa aunt uncle cousin niece nephew parents kids children
child kid: son daughter baby twins boy girl toddler
partner relationship: husband wife boyfriend girlfriend fiance married engaged dating divorce single breakup
country abroad nation: england france spain italy germany japan china india canada mexico brazil portugal sweden norway ireland scotland greece australia thailand peru
city place town location: london paris rome tokyo york boston chicago seattle barcelona berlin lisbon miami beach mountain lake village
trip travel vacation holiday: flight trip travel visited beach hotel camping roadtrip abroad cruise festival museum
nature outdoor outdoors: hike camping mountain lake forest beach park trail waterfall river
health illness injury condition: sick ill broke sprained surgery hospital doctor pain hurt injured allergy asthma fever fracture knee ankle diagnosed therapy
feeling emotion mood: happy sad excited nervous scared proud grateful anxious relieved thrilled stressed overwhelmed frustrated lonely
present gift: gave gift necklace ring book flowers card surprise
money price cost finance: dollars pounds euros paid bought saved loan salary expensive
color colour: red blue green yellow purple orange pink black white grey gray brown
game: chess video console board puzzle card tournament playing
book author reading: novel book read reading author chapter library series
movie film show: movie film watched cinema series documentary netflix
weather: rain snow storm sunny wind hail fog
award achievement prize accomplishment: won medal trophy first place award prize champion certificate finished
event celebration festival: party wedding birthday concert fair parade festival ceremony exhibition conference workshop
charity cause community volunteering: volunteer shelter donate fundraiser charity homeless community campaign mentor
goal plan dream future: want hope plan planning dream saving goal someday
fear challenge problem struggle obstacle: hard difficult scared worried lost broke failed struggle setback
religion faith spiritual: church god pray mosque temple faith prayer
clothes wear outfit: dress shirt jacket shoes hat scarf jumper sweater necklace
plant garden: flowers tomatoes vegetables herbs roses tree seeds garden
`;

/** Words that say the same, one family a line. */
export const synonyms = `
job work career position
trip travel journey vacation holiday visit tour getaway
kid child son daughter
movie film
photo picture photograph pic image
present gift
exam test
purchase buy
begin start commence launch open
quit stop leave resign give
win victory
ill sick unwell illness disease
injury hurt injure wound
repair fix mend restore
build make construct create
teach lesson class course instruct
learn study
happy glad excited thrilled delighted
sad upset down depressed
afraid scared nervous fear frighten
friend buddy pal mate
home house apartment flat place
move relocate
marry wedding wife husband engage
partner boyfriend girlfriend spouse
mother mom mum mama
father dad papa
grandmother grandma granny nana
grandfather grandpa grandad granddad
baby newborn infant pregnant
die pass death
doctor physician
shop store
car vehicle
bike bicycle cycling
speak talk chat
like love enjoy favorite favourite adore fond
hate dislike
want wish hope
plan intend
help support assist
receive get
attend go join
participate join take part
event party
discover find
consider think
cook bake make
dinner meal food
big large huge
small little tiny
money cash
cost price pay
film movie cinema
competition contest tournament championship race
award prize medal trophy
class course lesson workshop
employer company boss
colleague coworker
promote promotion raise
volunteer volunteering charity
relax unwind destress
exercise workout gym training
run running jog marathon race
hike hiking trail walk
adopt adoption rescue
pet animal
song music
perform performance concert gig
draw paint sketch
exhibition exhibit show gallery
publish publication
accident crash
steal theft rob robbery
operation surgery
cancel cut
accept approve
reason because why
recently lately
`;
