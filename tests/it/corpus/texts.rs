//! Three short tales that every manipulation fits: names of people and places, verbs in the past, letters
//! of several bytes, lines that end inside paragraphs.

/// Ids and texts.
pub(crate) const TALES: [(&str, &str); 3] = [("ferry", FERRY), ("mill", MILL), ("letter", LETTER)];

const FERRY: &str = "\
Anna came to London in the spring, and nobody in the town
knew why. “I walked from Paris,” she said, and the café fell silent.

Thomas kept the ferry. He rowed people over the river for a
penny, or for a story; he liked the stories better than the pennies.

One night Anna told him of the house in Berlin. The house was
empty and the garden was green. Her mother slept in the naïve belief
that the war was over.

Thomas listened and said nothing. Clara, who sold bread in
London, had heard the same tale from another woman — word for word.

In Paris the trees were bare. Anna wrote a letter to Clara
and sent it with the morning boat. No answer came, and the winter was
long 🛶 and dark.

Clara burned the letter and opened the shop. She sold the bread
and counted the coins. Thomas saw the smoke over London.

At last the river froze. The ferry stood still, and the people walked
over the ice to Berlin, or so the children said.
";

const MILL: &str = "\
George owned the mill near Boston. The wheel turned day and
night, and the flour was white as the “first” snow.

Mary worked for George. She carried the sacks to the carts
and wrote the numbers in a book. Peter drove the carts to Dublin.

One morning the wheel stopped. George climbed down to the water
and found a boot between the blades; the boot was old and the leather
was soft.

Peter knew the boot. He said that it came from Vienna, where his
brother lived. Mary laughed and asked for the other one.

The men of Boston searched the pond. They found a coin and a bell, or
what was left of a bell. George paid them in flour — all of them.

Mary dreamed of Dublin. In the dream Peter rang the bell and
the mill moved down the river like a boat 🔔 without a crew.

In Vienna the brother sat barefoot. He waited for the spring, and the
spring was late. Nobody wrote to him, and nobody came.
";

const LETTER: &str = "\
Emma lived alone above the school in Oslo. She read old papers
and fed the birds; the birds knew her voice.

A letter arrived on Monday. It came from Madrid and carried a blue
stamp. Emma put it on the shelf and looked at the fjörd.

Henry saw the letter and asked about it. “Open it,” said Henry
Marsh, “or give it to me.” She smiled and poured the tea.

On Friday Lucy came from Rome with her dog. The dog barked at the
shelf and the letter fell. Henry picked it up and turned pale.

Lucy took the letter and read the name. It was her own name. She
had written it in Madrid years ago and sent it to Oslo — to herself.

Emma laughed until the cups shook. The three of them opened the
letter and found a key or a part of a key, dark with rust 🗝 and small.

Henry tried the key at every door in Rome. Lucy waited in
the street and counted the bells. The last door opened.
";
