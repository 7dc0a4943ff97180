/**
 * Claims that are well known to have been tested and found false. A text that asserts one is not evidence, however
 * it is dressed; a text that names one in order to refute it may be. Each entry is the claim in plain words (its vector
 * is compared with the text's) and the word stems that betray it: groups joined by `+` must all occur, `,` means "or".
 */
const entries = `
Vaccines cause autism | vaccin,shot,jab,mmr,immuniz,immunis + autis,stopped talking
Vaccines contain microchips to track people | vaccin,shot,jab,inject,needle + chip,track,bill gates
mRNA vaccines change human DNA | vaccin,shot,jab,mrna + dna,gene
Vaccines make people infertile | vaccin,shot,jab + infertil,steril,fertility
Vaccines are full of poison and mercury and overload the immune system | vaccin,shot,jab + poison,toxi,mercury,formaldehyde,aborted,overload,overwhelm,weaken
The flu shot gives you the flu | flu shot,flu jab,flu vaccin + gives you,gave,cause,the flu
Vaccines have killed more people than the disease | vaccin,shot,jab + killed more,kill more,more deaths,depopulat,magnet,shed
The covid pandemic was planned by the elites | covid,pandemic,virus,plandemic + planned,plandemic,bioweapon,scamdemic,hoax,elite,gates
5G towers spread the coronavirus | 5g + virus,covid,corona,ill,sick,cancer,radiation,birds,headache,mind,kill,brain,dna,health
Masks starve the body of oxygen | mask + oxygen,co2,carbon dioxide,suffocat
Hydroxychloroquine or ivermectin cures covid | ivermectin,hydroxychloroquine + cure,covid,work,virus,treat
Drinking bleach cures diseases | bleach,mms,chlorine dioxide,turpentine,disinfectant + drink,cure,cleans,heal,inject,parasit
HIV does not cause AIDS | hiv + aids + not,isn't,doesn't,harmless,invented,hoax
AIDS was made in a government laboratory | aids,hiv + lab,laborator,cia,government,invented,created
Viruses do not exist, germ theory is a lie | virus,germ theory + don't exist,do not exist,doesn't exist,never been isolated,not real,isn't real,a lie,ever seen one
Antibiotics cure colds and flu | antibiotic + cold,flu,virus
Homeopathy works because water has memory | homeopath,homoeopath,water remember,memory of water,water has memory,water has a memory
Essential oils or crystals cure disease | crystal,essential oil,gemstone,quartz,amber + heal,cure,vibrat,energ,chakra,treat,teething
Reiki, chakras and auras heal illness | reiki,chakra,aura,energy field,energy heal + heal,cure,illness,block,disease,cleans
Cancer can be cured with baking soda, vinegar or diet | cancer,tumor,tumour + baking soda,vinegar,lemon,apricot,laetrile,cannabis,turmeric,alkalin,juice,fluke,fungus,essential,garlic,soursop,asparagus,sugar
Big Pharma hides the cure for cancer | cure + pharma,hide,hiding,hidden,suppress,don't want,doesn't want,won't tell,buried
Deodorant, bras or phones cause cancer | deodorant,antiperspirant,underwire,bra,cell phone,mobile phone,cellphone,wifi,wi-fi,power line,microwave,wind turbine + cancer,tumor,tumour
Sunscreen causes skin cancer | sunscreen,sun cream,suncream + cause,cancer,toxic,poison
Microwaves destroy nutrients and make food radioactive | microwav + radioactiv,nutrient,destroy,cancer,toxic,kills the
Wind turbines make people ill | turbine,windmill + cancer,ill,sick,headache,brain
Detox diets and foot pads remove toxins | detox,cleanse,foot pad,toxins + remov,draw,flush,rid,body,liver,toxin
Alkaline water cures disease | alkalin + water,body,cancer,disease,cure,ph
Raw water or structured water has living energy | raw water,structured water,hexagonal water,living water,charged water + energy,heal,memory,better,health,hydrat
Raw milk is safer than pasteurised milk | raw milk + safe,heal,cure,kill,pasteur
Fluoride in water is mind control and lowers intelligence | fluorid + mind,poison,control,iq,dumb,docile,nazi,pineal,calcif,government,toxic
MSG causes headaches and is poison | msg,glutamate,chinese restaurant syndrome + poison,headache,cause,syndrome,toxic,sick,bad for
Sugar makes children hyperactive | sugar,sweets,candy + hyper
Eating carrots improves night vision | carrot + night vision,see in the dark,eyesight,night
You must drink eight glasses of water a day | eight glasses,8 glasses,two litres of water,eight cups
Eating at night makes you fat regardless of calories | after 8,after eight,at night,after dark,after six + fat,weight + eat,carb
Breakfast is scientifically the most important meal | breakfast + most important meal
Spinach is exceptionally rich in iron | spinach + iron
Eggs stop your heart by cholesterol | egg + cholesterol + heart,kill
Swallowed chewing gum stays in the stomach for seven years | gum + seven years,7 years
Cold weather and wet hair give you a cold | wet hair,cold weather,going out without,without a jacket,without a coat,damp feet + cold,flu,pneumonia
Feed a cold and starve a fever | starve a fever,sweat out a,sweat it out
Reading in dim light ruins the eyes | dim light,dark,poor light,bad light + ruin,damage,eyes,eyesight + read
Sitting close to the television ruins the eyes | close to the tv,close to the telly,close to the television,close to the screen + eye,blind
Cracking knuckles causes arthritis | knuckle + arthrit
Shaving makes hair grow back thicker | shav,cutting,trim + thick,coarse,darker,faster + hair,beard
Hair and nails keep growing after death | hair,nail + after death,after you die,dead
Plucking one grey hair makes two grow | pluck,pull + grey hair,gray hair + two
We use only ten percent of our brain | brain + ten percent,10 percent,10 %,10%,ten per cent,tenth
People are left-brained or right-brained | left-brain,right-brain,left brain,right brain,half of the brain,hemisphere + creative,logical,dominant,type
Listening to Mozart makes babies smarter | mozart + smart,intelligen,iq,bab,clever
People have visual, auditory or kinaesthetic learning styles | learning style,visual learner,auditory learner,kinesthetic,kinaesthetic
The tongue has separate zones for each taste | tongue + zone,area,map,tip,region,sides
You lose most body heat through the head | heat + head + lose,lost,most,half,escape
Alcohol warms the body | alcohol,brandy,whisky,whiskey,schnapps,rum + warms,keeps you warm,warm you
Alcohol kills brain cells | alcohol,drink,beer + brain cell
Coffee stunts growth | coffee,caffeine,weights + stunt,growth
Blood is blue inside the body | blood + blue + vein,oxygen,inside
Chocolate and greasy food cause acne | chocolate,greasy + pimple,acne,spots
Oysters or rhino horn increase potency | oyster,rhino horn,tiger bone + poten,aphrodis,virility,libido
Toads give you warts | toad,frog + wart
Sleepwalkers must never be woken | sleepwalk + wak,never,die,danger
Waiting an hour after eating before swimming prevents cramps | swim + after eating,after a meal,full stomach,hour
Urine cures jellyfish stings | pee,urine,urinat + jellyfish
Sucking out snake venom saves life | snake,venom + suck
The full moon makes people mad and increases births | full moon + mad,crazy,crime,birth,hospital,ward,insane,behav,accident,emergency,werewol,violen,lunatic
Astrology and zodiac signs determine character | astrolog,zodiac,horoscope,star sign,mercury retrograde,mercury in retrograde,aries,scorpio,sagittarius,virgo,capricorn + character,personalit,fate,decide,destiny,determine,predict,health,explain,because,why,retrograde,compatib
Tarot and palm lines foretell the future | tarot,palm read,palmistr,crystal ball,numerolog + future,fate,predict,destiny,right,true,lifeline,reveal
Dowsing rods find water | dows,divining rod,water diviner
Psychics talk to the dead and read minds | psychic,medium,telepath,telekine,clairvoyan,seance,ouija + dead,mind,real,predict,spirit,proven,proof
Ghosts and haunted places are proven | ghost,haunted,poltergeist + proof,proven,real,exist,photo
Bigfoot and the Loch Ness monster exist | bigfoot,sasquatch,loch ness,nessie,yeti,chupacabra,mermaid + exist,real,seen,proof,footage,proven,hide,hiding,cover
Aliens crashed at Roswell and are hidden | alien,ufo,extraterrestrial,roswell,area 51 + hid,hide,government,crash,cover,pyramid,built,abduct,bodies,bases,among us
The pyramids were built by aliens | pyramid,stonehenge,nazca + alien,extraterrestrial,lost civiliz,atlant
Atlantis was a real advanced civilisation | atlantis,lemuria + real,found,exist,advanced,sank,civiliz,civilis
The Bermuda Triangle swallows ships | bermuda triangle
Crop circles are made by aliens | crop circle + alien,ufo,energy,cosmic
The earth is flat | flat earth,flat-earth,earth is flat,earth is actually flat,world is flat,planet is flat,ice wall,firmament,globe is a lie,earth isn't round,earth is not round,water always finds its level,no curvature
The earth is hollow | hollow earth,earth is hollow,hollow + earth,poles
The earth is six thousand years old | six thousand years,6000 years,6,000 years,young earth,noah's flood,noah's ark,carbon dating is,radiometric dating is
The sun orbits the earth | sun + orbits the earth,goes around the earth,revolves around the earth,circles the earth
The moon landings were faked | moon landing,moon-landing,apollo,landed on the moon,walked on the moon,went to the moon,been to the moon + fake,hoax,studio,staged,kubrick,never,film,shadow,flag,stars,nasa
NASA hides the truth | nasa + fake,lie,lying,hide,hiding,cgi,cover
Chemtrails are sprayed to control weather and minds | chemtrail,trails + spray,chemical,control,plane,geoengineer,poison
HAARP controls the weather and earthquakes | haarp,weather weapon,earthquake machine,weather machine,weather control
Climate change is a hoax | climate change,global warming,climate crisis,climate science + hoax,scam,fraud,lie,invented,stopped,fake,rigged,myth,made up,isn't real,not real,sun,natural cycle,grants,paused,cooling,con,volcano
Carbon dioxide cannot warm the planet because it is plant food | co2,carbon dioxide + plant food,trace gas,can't warm,cannot warm,harmless,good for plants,volcano
The planet is cooling since 1998 | cooling,stopped warming,warming stopped + 1998,planet,since,ice age
Volcanoes emit more carbon dioxide than people | volcano + more co2,more carbon,more than human,more than all
Evolution is only a theory without evidence | evolution,darwin + just a theory,only a theory,never been,no proof,transitional,missing link,monkeys,hoax,lie,fairy,disproven,impossible,no fossil
Humans and dinosaurs lived together | dinosaur + humans,men,people,together,footprint,saddle,never existed,hoax
Humans evolved from chimpanzees so chimps should not exist | monkey,chimp,ape + still,evolved from,why are there
GMOs alter your genes and are poison | gmo,genetically modified,frankenfood,gm food,gm corn + gene,poison,cancer,toxic,dna,kill,steril
Organic food contains no pesticides | organic + no pesticide,never sprayed,without any pesticide,no chemicals
Gluten is poisonous for everyone | gluten,wheat,lectin,seed oil + poison,toxic,everyone,brain,inflam
Nine eleven was an inside job | 9/11,9-11,twin towers,world trade,building 7,wtc,september 11,jet fuel + inside,demol,thermit,explos,bush,steel,controlled,government,plane,missile
The Holocaust did not happen | holocaust,auschwitz,gas chamber,six million,concentration camp,death camp + hoax,never,made up,exaggerat,invented,fake,myth,lie,not happen,didn't happen
School shootings were staged with crisis actors | sandy hook,school shooting,crisis actor,false flag + staged,actor,fake,hoax,false flag,never
The election was stolen by voting machines | election,vote,ballot,dominion + stolen,stole,rigged,switched,dead people,flipped,fraudulent,stuffed
A deep state or satanic cabal rules the world | deep state,illuminati,new world order,cabal,satanic,qanon,adrenochrome,pizzagate,freemason,globalist,great reset,rothschild,soros,bilderberg,secret elite,shadow government,reptil,lizard
Reptilians rule governments | reptil,lizard people,lizard men,shapeshift
Jews control the banks and media | jews,jewish,zionist + control,banks,media,world,protocols,blood
White people are being replaced on purpose | great replacement,replacement,white genocide + plan,replac,white
Some races are biologically less intelligent | race,races,black people,africans,whites,skull,phrenolog,jews + inferior,less intelligent,iq,feel less pain,biolog,bumps,smaller brain,skull
Women are biologically unable to do science | women,girls,female + can't do,biologically,smaller brain,not made for,unable + math,science,drive,logic,lead
Elvis, Tupac or Paul McCartney deaths were faked | elvis,tupac,paul mccartney,michael jackson,hitler,diana + alive,faked,replaced,double,escaped,argentin,murdered,mi6
A president was secretly not born in the United States | obama + born,birth certificate,kenya,muslim
The Titanic was swapped with the Olympic | titanic + swapped,insurance,olympic,switched
Perpetual motion and free energy machines are suppressed | perpetual motion,free energy,over-unity,overunity,zero point,zero-point,runs on water,water-powered,water engine,water powered,tesla + energy,engine,patent,suppress,oil,work,run,car,motor,infinite,forever,machine,motion
Cars can run on water | car,engine + run on water,runs on water,ran on water,fuelled by water,fueled by water,running on water
Magnetic bracelets relieve pain | magnet,copper bracelet,ionic bracelet,ion bracelet,power balance + heal,pain,blood,arthrit,energy,balance,circulat
Hair analysis and iridology diagnose disease | iridolog,hair analysis,applied kinesiolog,live blood analysis,bioresonance,vega test
Colon cleansing and enemas remove years of waste | colon cleans,colonic,coffee enema,enema
Ear candles remove wax and toxins | ear candl
Acupuncture points and meridians carry life energy | meridian,qi,chi,life force,life energy,prana + flow,energy,block,heal,balance,body
Cupping or leeches draw out bad blood | bloodlet,bad blood,cupping,leech,humours + draw,toxins,balance,illness,cure
Chiropractic cures asthma and colic | chiroprac,subluxation + asthma,colic,cause,disease,cure,immune
Stress alone causes ulcers | ulcer + stress,spicy
Autism is caused by cold mothers | autis + mother,cold,diet,cured,cure,gluten,chelat
Abortion causes breast cancer | abortion + breast cancer
Homosexuality can be cured | gay,homosexual,lesbian + cure,conver,chosen,disease,caught,vaccine
Chemicals in the water turn frogs and people gay | chemicals in the water + frogs,gay
Goldfish have a memory of three seconds | goldfish + memory,second
Bulls hate the colour red | bull + red + colour,color,enrag,angry,see,hate
Lemmings commit mass suicide | lemming + suicide,cliff,jump,kill,throw
Ostriches bury their heads in the sand | ostrich + head,sand
Bats are blind | bats + blind
Touching a baby bird makes its mother reject it | baby bird,chick,nest,fledgling + reject,abandon,scent,smell,touch
Dogs see only in black and white | dog + black and white,colour blind,color blind
One dog year equals seven human years | dog year,dog + seven years,7 years
Cats always land on their feet and have nine lives | cat + nine lives
Camels store water in their humps | camel + hump + water
Chameleons change colour to match the background | chameleon + background,match,surround
Sharks do not get cancer | shark + cancer,cartilage
Bees cannot fly according to physics | bumblebee,bees,bee + physics,aerodynamic,cannot fly,can't fly,shouldn't be able
Daddy longlegs are the most venomous spider | daddy longleg,daddy-longleg,harvestmen + venom,poison
People swallow eight spiders a year in their sleep | spider + sleep + swallow,eat
Earwigs crawl into the brain through the ear | earwig + ear,brain
Moss grows only on the north side of trees | moss + north
A duck's quack does not echo | quack + echo
Lightning never strikes the same place twice | lightning + twice,same place,rubber
The Great Wall of China is visible from the moon | great wall + space,moon,visible,seen,orbit,astronaut
Toilets flush the other way in the southern hemisphere because of the Coriolis force | coriolis,hemisphere,australia,equator + flush,toilet,drain,sink,water,bath
The seasons come from the distance to the sun | season,summer,winter + closer to the sun,distance to the sun,distance from the sun,farther from the sun
There is no gravity in space | no gravity,zero gravity + space,orbit,station
A penny dropped from a skyscraper kills | penny,coin + empire state,skyscraper,eiffel,tower + kill
Glass is a slow flowing liquid | glass + liquid,flow,thicker at the bottom
Diamonds are made from coal | diamond + coal
Radiation from wifi and phones makes people ill | electrosensitiv,electrosmog,electro-smog,emf,radiation from + headache,sick,illness,kill,harm,cancer,sleep,wifi,wi-fi,router,phone,pendant
Phones at petrol stations cause explosions | phone + petrol station,gas station,explo,popcorn
Apple computers cannot get viruses | mac,macs,linux + can't get virus,never get virus,no viruses,immune to virus
Vikings wore horned helmets | viking + horn
Einstein failed mathematics | einstein + fail,flunk,bad at math
Napoleon was unusually short | napoleon + short,tiny,dwarf
Columbus proved that the earth is round | columbus + flat,round,proved,edge
Medieval people thought the earth was flat | medieval,middle ages + flat,bath,30,thirty
Marie Antoinette said let them eat cake | marie antoinette,let them eat cake
Nero fiddled while Rome burned | nero + fiddl
Newton was hit on the head by an apple | newton + apple + head
Edison invented the light bulb alone and stole everything from Tesla | edison + stole,invented
Iron maidens were used in the Middle Ages | iron maiden,chastity belt,droit du seigneur
Witches were burned in Salem by the millions | salem + burn
Gladiators always fought to the death | gladiator + death,died
Slaves built the pyramids | pyramid + slave
The Library of Alexandria lost all knowledge to one fire | alexandria + thousand years,one fire,set us back
Shakespeare did not write his plays | shakespeare + did not write,didn't write,never wrote,oxford,bacon,fraud
Polygraphs detect lies reliably | polygraph,lie detector,lie-detector + lie,never,reliabl,detect,prove,accura
Handwriting reveals character | graphology,handwriting + character,personalit,reveal
Subliminal messages make people buy | subliminal + buy,message,control,advert
Backward messages in rock music are satanic | backward,backmask + satan,messag
Video games turn children into killers | video game,videogame,shooter game + killer,murder,violen,cause,mass shoot
Marijuana cures everything and heroin begins with it | cannabis,weed,marijuana,cbd + cures every,cure all,cures all,cure every,cures cancer,curing
Halloween candy is often poisoned by strangers | halloween + razor,poison,fentanyl,needle
Immigrants eat pets and commit most crimes | immigrant,migrant,refugee,foreigner,haitian + eating,pets,most crime,all crime,rapists
Crime is at a record high everywhere because of foreigners | sharia + no-go,take over,law
Vitamin C megadoses prevent colds | vitamin c,megados,mega-dos + prevent,cure,cold,cancer,virus
Garlic and onions in the sock draw out illness | onion,garlic,potato + sock,feet,room,absorb,draw
Colloidal silver cures infections | colloidal silver,silver water
Apple cider vinegar burns fat and cures diabetes | cider vinegar + burn,cure,fat,diabet,melt,detox
Celery juice heals every chronic illness | celery juice,lemon water,bone broth,wheatgrass + heal,cure,detox,burn,flush
Diabetes is cured by cinnamon or okra water | diabet + cinnamon,okra,reversed in,cured,herb
Spot exercises burn belly fat | sit-up,situp,crunches,ab belt,belly fat + burn,melt,spot,belly
Muscle turns into fat | muscle + turns into fat,turn into fat,turns to fat,turn to fat
Stretching and lactic acid cause sore muscles | lactic acid + sore
Copper, magnets and vortices make petrol engines save fuel | fuel saver,fuel-saver + magnet,vortex,tablet
Mobile phones cook eggs | phone + egg + cook
Sweat removes toxins from the body | sweat,sauna + toxin,poison
Women's cycles synchronise | cycle,period + sync
The appendix is useless and tonsils too | appendix + useless
Antidepressants are just happy pills and depression is not real | depression,adhd,asthma + isn't real,not real,not a real,invented,doesn't exist,made up,laziness
Hypnosis recovers true memories from past lives | past li,reincarnat,hypno + memor,proof,proven,recall,prove,regress
The Mandela effect proves parallel universes | mandela effect,parallel universe,parallel dimension,simulation glitch
The world will end on a date predicted by the Maya or Nostradamus | nostradamus,mayan,maya calendar,planet x,nibiru,doomsday + predict,end,foretold,collide,foresaw
Birds are not real but drones | birds + drones,aren't real,not real,surveillance
Finland or Australia does not exist | australia,finland,wyoming,bielefeld + does not exist,doesn't exist,isn't real
Smoking is harmless and cancer from it is exaggerated | smok,cigarette,nicotine,asbestos,lead paint + harmless,doesn't cause,does not cause,no proof,never proven,good for,safe
DDT is safe and its ban killed millions | ddt + safe,ban,harmless
The ozone hole was invented | ozone + invented,hoax,scam,never
Oil is renewed endlessly by the earth | abiotic oil,peak oil,oil + renews itself,infinite,never run out,refills
Wildfires are started by space lasers | wildfire,fires + laser,directed energy,space
Napoleon's soldiers shot the nose off the sphinx | napoleon + sphinx
A tooth dissolves overnight in cola | tooth,teeth,nail,steak + cola,coke + overnight,night,dissolv,morning
A spoon in the neck keeps champagne fizzy | spoon + champagne,sparkling,prosecco
Aspartame and sweeteners rot the brain | aspartame,sweetener + brain,cancer,poison,toxic
Aluminium pans cause Alzheimer's | alumin + alzheimer,dementia
Humans can live on light alone | breatharian,sunlight alone,light alone,without food
Hair turns white overnight from fright | hair + white + overnight,fright,shock
Left-handed people die earlier | left-handed + die,earlier,younger
Dairy makes mucus | milk,dairy + mucus,phlegm
Talking kindly to water changes its crystals | water + crystals,emotion,kind,positive + think,talk,love,photograph,molecule
Secret bankers start every war | bankers,secret society,secret societies + war,wars,president,every
Polio and measles vanished through hygiene and not vaccines | polio,measles,smallpox + toilets,hygiene,sanitation,harmless,strengthen
Paid demonstrators and invented crises | paid protest,pays the demonstr,pays the protest,crisis actor
Hurricanes are steered by the government | hurricane,storm,tornado,tsunami,earthquake + steered,seed,antenna,alaska,weapon,engineered,government,manufactured,machine
`;

export interface Myth {
  readonly claim: string;
  /** Every group must have at least one stem in the text. */
  readonly keys: readonly (readonly string[])[];
}

export const myths: readonly Myth[] = entries
  .trim()
  .split("\n")
  .map((line) => {
    const [claim, keys] = line.split(" | ") as [string, string];
    return { claim, keys: keys.split(" + ").map((group) => group.split(",").map((stem) => stem.trim())) };
  });

const matchers = myths.map((myth) => ({
  myth,
  // A stem matches at the start of a word, so that "ill" does not find "will".
  groups: myth.keys.map((stems) => new RegExp(`(?:^|[^\\p{L}\\p{N}])(?:${stems.map(escapeStem).join("|")})`, "iu")),
}));

function escapeStem(stem: string): string {
  return stem.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** The myths whose words occur in the text, asserted or refuted. `text` is expected with straight quotes. */
export function mythsNamed(text: string): readonly Myth[] {
  return matchers.filter((matcher) => matcher.groups.every((group) => group.test(text))).map((matcher) => matcher.myth);
}
