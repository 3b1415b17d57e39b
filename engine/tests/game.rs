//! The arbiter: whole games, every ending, claims, offers, clocks, undo, and what a server keeps (R12–R20).

use std::time::Duration;

use touchmove::{
    Claim, Claimed, Color, Draw, EnPassantFen, Game, GameRecord, GameResult, Move, Outcome, Played,
    Policy, Position, PromotionRole, Refusal, RestoreError, San, Square, Status, TimeControl,
    UciMode, Victory,
};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

fn game(fen: &str) -> Game {
    Game::new(fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")))
}

fn start() -> Game {
    Game::new(Position::default())
}

/// Plays moves in UCI, each by the side whose turn it is.
#[track_caller]
fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        game.play(game.turn(), text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
}

#[track_caller]
fn played(mut game: Game, moves: &str) -> Game {
    play(&mut game, moves);
    game
}

#[track_caller]
fn refused(game: &mut Game, player: Color, text: &str) -> (&'static str, String) {
    let before = game.clone();
    let refusal = game.play(player, text).unwrap_err();
    assert_eq!(*game, before, "a refused move changes nothing");
    (refusal.code(), refusal.to_string())
}

fn drawn(draw: Draw) -> Option<Outcome> {
    Some(Outcome::Draw(draw))
}

fn won(winner: Color, by: Victory) -> Option<Outcome> {
    Some(Outcome::Win { winner, by })
}

mod demonstration {
    use super::*;

    /// FIDE 3.7, 1.2: a shape that no pawn has, and the wrong side first.
    #[test]
    fn an_impossible_move_and_the_wrong_side_are_refused() {
        let mut game = start();
        let (code, why) = refused(&mut game, WHITE, "e2e5");
        assert_eq!((code, why.as_str()), ("shape", "e2e5: a white pawn does not go from e2 to e5"));
        let (code, why) = refused(&mut game, BLACK, "e7e5");
        assert_eq!((code, why.as_str()), ("not-your-turn", "it is white's turn"));
    }

    /// FIDE 5.1.1, R19.
    #[test]
    fn fools_mate_ends_the_game_and_undo_opens_it_again() {
        let mut game = played(start(), "f2f3 e7e5 g2g4");
        let mate = game.play(BLACK, "d8h4").unwrap();
        assert_eq!(mate.status().code(), "checkmate");
        assert_eq!((mate.uci(), mate.san()), ("d8h4".into(), "Qh4#".into()));
        assert_eq!(game.outcome(), won(BLACK, Victory::Checkmate));
        assert_eq!(game.result(), GameResult::BlackWins);
        let board = "rnb.kbnr pppp.ppp ........ ....p... ......Pq .....P.. PPPPP..P RNBQKBNR";
        assert_eq!(game.board().replace('\n', " "), board);
        let (code, why) = refused(&mut game, WHITE, "a2a3");
        assert_eq!(
            (code, why.as_str()),
            ("game-over", "the game is over: black wins by checkmate")
        );
        assert!(game.legal().is_empty());
        game.undo().unwrap();
        assert_eq!((game.status(), game.legal().len()), (Status::Active, 30));
    }

    /// FIDE 5.2.1, 3.7.3.1, 9.2.
    #[test]
    fn stalemate_en_passant_and_a_repetition() {
        assert_eq!(game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").status().code(), "stalemate");
        let game = played(game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4");
        assert!(game.legal().contains(&"d4e3".to_string()));
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let online = played(start().with_policy(Policy::Online), shuffle);
        assert_eq!(online.outcome(), drawn(Draw::ThreefoldRepetition));
        let mut fide = played(start(), shuffle);
        assert_eq!((fide.outcome(), fide.repetitions()), (None, 3));
        assert!(fide.may_claim(Claim::ThreefoldRepetition, None));
        assert_eq!(fide.claim(WHITE, Claim::ThreefoldRepetition, None), Ok(Claimed::Granted));
        assert_eq!(fide.outcome(), drawn(Draw::Claimed(Claim::ThreefoldRepetition)));
    }

    /// Squares of a board on a screen, row 0 at the top.
    #[test]
    fn moves_by_row_and_column() {
        let mut game = start();
        let mut at = |from, to| game.play_at(game.turn(), from, to, None).unwrap();
        at((6, 5), (5, 5));
        at((1, 4), (3, 4));
        at((6, 6), (4, 6));
        assert_eq!(at((0, 3), (4, 7)).status().code(), "checkmate");
        let mut game = start();
        let refusal = game.play_at(WHITE, (8, 0), (0, 0), None).unwrap_err();
        assert_eq!(refusal.to_string(), "row 8, column 0 is no square: both are from 0 to 7");
    }

    /// FIDE 3.8.1: the queen on e4 attacks e8.
    #[test]
    fn the_king_may_not_step_where_the_queen_attacks() {
        let mut game = game("3k4/8/8/8/4Q3/8/4P3/K7 w - - 0 1");
        game.play_at(WHITE, (6, 4), (5, 4), None).unwrap();
        let before = game.clone();
        let refusal = game.play_at(BLACK, (0, 3), (0, 4), None).unwrap_err();
        assert_eq!(refusal.code(), "leaves-king-attacked");
        assert_eq!(
            refusal.to_string(),
            "d8e8: the king on e8 would be attacked by the white queen on e4"
        );
        assert_eq!(game, before);
    }

    /// FIDE 3.7.3.2: only on the move that follows.
    #[test]
    fn en_passant_one_ply_late_is_refused() {
        let mut game = played(game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4 e8e7 e1e2");
        assert_eq!(refused(&mut game, BLACK, "d4e3").0, "nothing-to-capture");
    }

    #[test]
    fn a_pinned_rook_and_a_promotion_without_a_piece_are_refused() {
        let mut pinned = game("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1");
        assert_eq!(refused(&mut pinned, WHITE, "e2d2").0, "leaves-king-attacked");
        let mut promotes = game("8/4P1k1/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(refused(&mut promotes, WHITE, "e7e8").0, "promotion-missing");
        promotes.play_at(WHITE, (1, 4), (0, 4), Some(PromotionRole::Knight)).unwrap();
        assert_eq!(promotes.board().lines().next(), Some("....N..."));
    }

    /// R12, FIDE 3.8.2.2.
    #[test]
    fn a_refused_castling_says_which_piece_attacks() {
        let mut game = game("4k3/8/8/8/8/5r2/8/4K2R w K - 0 1");
        let (code, why) = refused(&mut game, WHITE, "e1g1");
        assert_eq!(code, "castling-crosses-attack");
        assert_eq!(why, "e1g1: castling through check: f1 is attacked by the rook on f3");
    }

    /// FIDE 5.2.2, R16.
    #[test]
    fn too_little_material_is_drawn_at_once() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1",
        ] {
            assert_eq!(game(fen).outcome(), drawn(Draw::DeadPosition), "{fen}");
        }
        assert_eq!(game("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1").outcome(), None);
        let takes = played(game("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"), "e1e2");
        assert_eq!(takes.outcome(), drawn(Draw::DeadPosition));
    }
}

mod moves {
    use super::*;

    #[test]
    fn moves_are_played_from_text_of_every_kind() {
        let mut game = start();
        game.play(WHITE, "e2e4").unwrap();
        game.play_san(BLACK, "e5").unwrap();
        game.play_move(WHITE, Move::normal(Square::G1, Square::F3)).unwrap();
        let last: Played = game.play_san(BLACK, "Nc6").unwrap();
        assert_eq!(last.fen(), "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
        assert_eq!(game.moves_as_uci(), ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!(game.moves_as_san(), ["e4", "e5", "Nf3", "Nc6"]);
        let refusal = game.play_san(WHITE, "Nd2").unwrap_err();
        assert_eq!(
            (refusal.code(), refusal.to_string().as_str()),
            ("own-piece-on-target", "the mover's own pawn stands on d2")
        );
        let refusal = game.play(WHITE, "hello").unwrap_err();
        assert_eq!(
            (refusal.code(), refusal.to_string().as_str()),
            ("not-a-move", "byte 1, move: expected a rank 1-8, found 'e'")
        );
        let refusal = game.play_move(WHITE, Move::normal(Square::A1, Square::A3)).unwrap_err();
        assert_eq!(refusal.to_string(), "a1a3: the way is blocked on a2");
    }

    /// R9: in Chess960 castling is king takes rook, by text as by squares.
    #[test]
    fn chess960_is_written_in_its_own_notation() {
        let mut game = game("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1");
        assert_eq!(game.mode(), UciMode::Chess960);
        assert!(game.legal().contains(&"e1g1".to_string()));
        let castles = game.play(WHITE, "e1g1").unwrap();
        assert_eq!((castles.san(), castles.uci()), ("O-O".into(), "e1g1".into()));
        assert_eq!(castles.fen(), "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1");
        let standard = Game::new("4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap());
        assert!(standard.legal().contains(&"e1g1".to_string()));
        let other = standard.in_chess960_notation();
        assert!(other.legal().contains(&"e1h1".to_string()));
    }

    #[test]
    fn legal_moves_are_listed_in_order_and_by_square() {
        let game = start();
        let legal = game.legal();
        assert_eq!((legal.len(), legal[0].as_str(), legal[19].as_str()), (20, "a2a3", "h2h4"));
        assert!(legal.is_sorted());
        assert_eq!(game.legal_from(Square::G1).len(), 2);
        assert!(game.legal_from(Square::E1).is_empty() && game.legal_from(Square::G8).is_empty());
    }

    /// R3: three ways to say where a pawn has passed.
    #[test]
    fn a_fen_names_the_en_passant_square_as_wanted() {
        let passed = |fen, moves| {
            let game = played(game(fen), moves);
            [EnPassantFen::Legal, EnPassantFen::PseudoLegal, EnPassantFen::Always]
                .map(|wanted| game.fen(wanted).split(' ').nth(3).unwrap().to_string())
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(passed(start, "e2e4"), ["-", "-", "e3"]);
        assert_eq!(passed(start, "e2e3"), ["-", "-", "-"]);
        assert_eq!(passed("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4"), ["e3", "e3", "e3"]);
        // The black pawn on d4 is pinned to its king.
        assert_eq!(passed("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4"), ["-", "e3", "e3"]);
        assert_eq!(passed(start, "e2e4 g8f6"), ["-", "-", "-"]);
    }

    #[test]
    fn any_earlier_position_and_game_can_be_looked_at() {
        let game = played(start(), "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(game.position_after(0), Some(&Position::default()));
        assert_eq!(game.position_after(4), Some(game.position()));
        assert_eq!(game.position_after(5), None);
        let earlier = game.prefix(3).unwrap();
        assert_eq!((earlier.plies(), earlier.outcome()), (3, None));
        assert_eq!(earlier, played(start(), "f2f3 e7e5 g2g4"));
        assert_eq!(game.prefix(4).unwrap(), game);
        assert!(game.prefix(5).is_none());
    }

    #[test]
    fn a_game_is_written_as_a_game_file() {
        let game = played(start(), "f2f3 e7e5 g2g4 d8h4");
        let mut pgn = game.pgn();
        pgn.tag("White", "Fool").unwrap();
        let text = pgn.finish(game.result()).to_string();
        assert!(
            text.starts_with("[Event \"?\"]\n")
                && text.contains("[White \"Fool\"]\n[Black \"?\"]\n[Result \"0-1\"]\n")
        );
        assert!(text.ends_with("\n\n1. f3 e5 2. g4 Qh4# 0-1\n"));
    }
}

mod draws {
    use super::*;

    /// FIDE 9.2.3, R4: rights and en passant are part of a position.
    #[test]
    fn positions_are_compared_with_rights_and_en_passant() {
        let lost_rights = "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 e1e2 e8e7 e2e1 e7e8 b1a3 b8a6 a3b1 a6b8";
        assert_eq!(played(start(), lost_rights).repetitions(), 2);
        let once_en_passant = "e2e4 g8f6 e4e5 d7d5 f1c4 b8c6 c4f1 c6b8 f1c4 b8c6 c4f1 c6b8";
        assert_eq!(played(start(), once_en_passant).repetitions(), 2);
        let no_capturer = "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        assert_eq!(played(start(), no_capturer).repetitions(), 3);
        let in_check = game("8/8/8/8/4p3/8/R2P3k/K7 w - - 0 37");
        let in_check = played(in_check, "d2d4 h2h3 a2a3 h3h2 a3a2 h2h1 a2a3 h1h2 a3a2");
        assert_eq!(in_check.repetitions(), 3);
    }

    /// FIDE 9.6.1: not only by consecutive moves.
    #[test]
    fn the_fifth_occurrence_ends_the_game_by_itself() {
        let detours = "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8 g1f3 b8c6 f3g1 c6b8 b1c3 g8f6 c3b1";
        let mut game = played(start(), detours);
        assert_eq!(game.outcome(), None);
        play(&mut game, "f6g8");
        assert_eq!(game.outcome(), drawn(Draw::FivefoldRepetition));
        assert_eq!(refused(&mut game, WHITE, "e2e4").0, "game-over");
        game.undo().unwrap();
        assert_eq!(game.outcome(), None);
    }

    /// FIDE 9.6.2, 5.1.1, R13: a mate on the hundred and fiftieth ply wins.
    #[test]
    fn seventy_five_moves_end_the_game_unless_the_last_one_mates() {
        let quiet = played(game("7k/8/2R3K1/8/8/8/8/8 b - - 149 100"), "h8g8");
        assert_eq!(quiet.outcome(), drawn(Draw::SeventyFiveMoves));
        let mates = played(game("7k/8/6K1/8/8/8/8/R7 w - - 149 100"), "a1a8");
        assert_eq!(mates.outcome(), won(WHITE, Victory::Checkmate));
        assert_eq!(
            game("7k/8/2R3K1/8/8/8/8/8 b - - 150 100").outcome(),
            drawn(Draw::SeventyFiveMoves)
        );
        assert_eq!(
            game("R6k/8/6K1/8/8/8/8/8 b - - 150 100").outcome(),
            won(WHITE, Victory::Checkmate)
        );
    }

    /// R14: the same under the policy of servers, at fifty moves.
    #[test]
    fn fifty_moves_end_the_game_online_and_are_a_claim_otherwise() {
        let fen = "8/R7/1r6/1k6/3KB3/8/8/8 b - - 99 111";
        let online = played(game(fen).with_policy(Policy::Online), "b6b8");
        assert_eq!(online.outcome(), drawn(Draw::FiftyMoves));
        let mut fide = played(game(fen), "b6b8");
        assert_eq!(fide.outcome(), None);
        assert_eq!(fide.claim(WHITE, Claim::FiftyMoves, None), Ok(Claimed::Granted));
        assert_eq!(fide.outcome(), drawn(Draw::Claimed(Claim::FiftyMoves)));
        let mates = game("7k/8/6K1/8/8/8/8/R7 w - - 99 100").with_policy(Policy::Online);
        assert_eq!(played(mates, "a1a8").outcome(), won(WHITE, Victory::Checkmate));
    }

    /// FIDE 5.2.2 beyond material.
    #[test]
    fn a_locked_wall_is_a_dead_position() {
        let wall = played(game("4k3/8/8/p2p2p1/P2P2P1/8/8/3RK3 w - - 0 1"), "d1d2");
        assert_eq!(wall.outcome(), None);
        assert_eq!(
            game("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1").outcome(),
            drawn(Draw::DeadPosition)
        );
    }
}

mod claims {
    use super::*;

    /// FIDE 9.2.1, 9.3.1: for the position that an announced move makes.
    #[test]
    fn a_claim_may_announce_its_move() {
        let mut twice = played(start(), "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert!(!twice.may_claim(Claim::ThreefoldRepetition, None));
        let claimed = twice.claim(BLACK, Claim::ThreefoldRepetition, Some("f6g8"));
        assert_eq!(claimed, Ok(Claimed::Granted));
        assert_eq!(twice.plies(), 7, "the move stays on paper");
        let mut ninety_nine = game("8/R7/1r6/1k6/3KB3/8/8/8 b - - 99 111");
        assert_eq!(ninety_nine.claim(BLACK, Claim::FiftyMoves, Some("b6b8")), Ok(Claimed::Granted));
    }

    /// FIDE 9.3: fifty moves by each player, and not one less.
    #[test]
    fn a_claim_of_fifty_moves_a_ply_too_early_is_wrong() {
        let game_at = |plies| game(&format!("8/R7/1r6/1k6/3KB3/8/8/8 b - - {plies} 111"));
        assert!(game_at(100).may_claim(Claim::FiftyMoves, None));
        assert!(!game_at(99).may_claim(Claim::FiftyMoves, None));
        assert_eq!(game_at(99).claim(BLACK, Claim::FiftyMoves, None), Ok(Claimed::Refused(None)));
        let announced = game_at(98).claim(BLACK, Claim::FiftyMoves, Some("b6b8"));
        assert!(matches!(announced, Ok(Claimed::Refused(Some(_)))));
    }

    /// FIDE 9.5.3, 9.1.2.3: a draw offer and two minutes, and the announced move is played.
    #[test]
    fn a_wrong_claim_is_an_offer_gives_time_and_plays_its_move() {
        let mut game = start().with_clock("300+2".parse().unwrap());
        let claimed = game.claim(WHITE, Claim::ThreefoldRepetition, Some("e2e4"));
        assert!(matches!(claimed, Ok(Claimed::Refused(Some(played))) if played.uci() == "e2e4"));
        assert_eq!((game.offer(), game.turn()), (Some(WHITE), BLACK));
        assert_eq!(game.time_left(BLACK), Some(Duration::from_secs(420)));
        assert_eq!(game.accept(BLACK), Ok(Outcome::Draw(Draw::Agreement)));
        let minute = Duration::from_secs(60);
        let mut blitz = start().with_clock("300".parse().unwrap()).with_claim_penalty(minute);
        assert_eq!(blitz.claim(WHITE, Claim::FiftyMoves, None), Ok(Claimed::Refused(None)));
        assert_eq!(blitz.time_left(BLACK), Some(Duration::from_secs(360)));
    }

    /// R13, R14, R15: an announced move that mates stands.
    #[test]
    fn a_claim_with_a_mating_move_mates() {
        let mut game = game("7k/8/6K1/8/8/8/8/R7 w - - 99 100");
        let claimed = game.claim(WHITE, Claim::FiftyMoves, Some("a1a8"));
        assert!(matches!(claimed, Ok(Claimed::Ended(_))));
        assert_eq!(game.outcome(), won(WHITE, Victory::Checkmate));
    }

    #[test]
    fn only_the_side_to_move_claims_and_only_with_a_legal_move() {
        let mut game = played(start(), "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        let before = game.clone();
        let code = |claimed: Result<Claimed, Refusal>| claimed.unwrap_err().code();
        assert_eq!(code(game.claim(BLACK, Claim::ThreefoldRepetition, None)), "not-your-turn");
        assert_eq!(code(game.claim(WHITE, Claim::ThreefoldRepetition, Some("e2e5"))), "shape");
        assert_eq!(code(game.claim(WHITE, Claim::ThreefoldRepetition, Some("x"))), "not-a-move");
        assert_eq!(game, before);
        game.claim(WHITE, Claim::ThreefoldRepetition, None).unwrap();
        assert_eq!(code(game.claim(WHITE, Claim::ThreefoldRepetition, None)), "game-over");
    }
}

mod agreement {
    use super::*;

    /// FIDE 5.1.2, R18: also when it is the other side's turn.
    #[test]
    fn resignation_is_possible_at_any_time() {
        let mut game = start();
        assert_eq!(game.resign(BLACK).unwrap().winner(), Some(WHITE));
        assert_eq!(game.status().code(), "resigned");
        assert_eq!(game.undo().unwrap_err().code(), "game-over");
        assert_eq!(game.resign(WHITE).unwrap_err().code(), "game-over");
    }

    /// FIDE 9.1.2.1.
    #[test]
    fn an_offer_stands_until_it_is_answered_or_the_other_side_moves() {
        let mut game = start();
        assert_eq!(game.accept(BLACK).unwrap_err().code(), "no-offer");
        game.offer_draw(WHITE).unwrap();
        assert_eq!(game.offer_draw(WHITE).unwrap_err().code(), "offer-stands");
        assert_eq!(game.accept(WHITE).unwrap_err().code(), "no-offer");
        play(&mut game, "e2e4");
        assert_eq!(game.offer(), Some(WHITE), "one's own move leaves it");
        play(&mut game, "e7e5");
        assert_eq!(game.offer(), None);
        game.offer_draw(BLACK).unwrap();
        game.decline(WHITE).unwrap();
        assert_eq!(game.offer(), None);
        game.offer_draw(BLACK).unwrap();
        assert_eq!(game.offer_draw(WHITE), Ok(Some(Outcome::Draw(Draw::Agreement))));
        assert_eq!(game.outcome(), drawn(Draw::Agreement));
        assert_eq!(game.undo().unwrap_err().code(), "game-over");
    }
}

mod clocks {
    use super::*;

    fn timed(fen: &str, control: &str) -> Game {
        game(fen).with_clock(control.parse::<TimeControl>().unwrap())
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// R20, FIDE 6.9: time is charged first, and a move that comes too late is refused.
    #[test]
    fn a_fallen_flag_loses_before_the_move() {
        let mut game = timed(START, "60+5");
        assert_eq!(game.tick(seconds(59)), Ok(None));
        play(&mut game, "e2e4");
        assert_eq!(game.time_left(WHITE), Some(seconds(6)));
        assert_eq!(game.tick(seconds(60)), Ok(won(WHITE, Victory::FlagFall)));
        assert_eq!(refused(&mut game, BLACK, "e7e5").0, "game-over");
        assert_eq!(game.status().code(), "flag");
        assert_eq!(start().tick(seconds(1)).unwrap_err().code(), "no-clock");
    }

    /// FIDE 6.9, R17: drawn where no series of legal moves mates.
    #[test]
    fn a_flag_fall_is_a_draw_where_the_other_side_cannot_mate() {
        let fallen = |fen: &str, moves: &str| {
            let mut game = played(timed(fen, "60"), moves);
            game.tick(seconds(60)).unwrap();
            game.outcome()
        };
        let no_mate = drawn(Draw::FlagFallWithoutMate);
        assert_eq!(fallen("8/8/8/4k3/8/3K4/4P3/8 w - - 0 1", ""), no_mate);
        // A bishop mates a king that its own pawn hems in.
        let bishop = "8/8/8/4k3/5b2/3K4/4P3/2B5 w - - 0 1";
        assert_eq!(fallen(bishop, ""), won(BLACK, Victory::FlagFall));
        // Two quiet plies, and the seventy-fifth move is there.
        assert_eq!(fallen("8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100", ""), no_mate);
    }

    /// FIDE 9.6.1: the only move meets a position for the fifth time, where the rook would mate without that.
    #[test]
    fn a_flag_fall_is_a_draw_where_the_only_move_repeats_for_the_fifth_time() {
        let cycle = "a8b8 h2h1 b8a8 h1h2 ";
        let fallen = |cycles: usize| {
            let game = timed("r7/8/8/8/8/8/5k1K/8 b - - 0 1", "60");
            // White's king has no other square than h2 when the flag falls.
            let mut game = played(game, &(cycle.repeat(cycles) + "a8b8 h2h1 b8a8"));
            game.tick(seconds(60)).unwrap();
            game.outcome()
        };
        assert_eq!(fallen(2), won(BLACK, Victory::FlagFall));
        assert_eq!(fallen(3), drawn(Draw::FlagFallWithoutMate));
    }

    /// The king must take the rook: dead already, before any flag falls (FIDE 5.2.2).
    #[test]
    fn where_the_last_rook_must_be_taken_the_game_is_over() {
        let game = played(timed("8/2kr4/8/K7/8/8/8/8 w - - 0 1", "60"), "a5a6 d7d8 a6a7 d8a8");
        assert_eq!(game.outcome(), drawn(Draw::DeadPosition));
    }

    /// FIDE 9.6.1 came first.
    #[test]
    fn a_game_that_is_drawn_is_not_lost_on_time() {
        let detours =
            "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8 g1f3 b8c6 f3g1 c6b8 b1c3 g8f6 c3b1 f6g8";
        let mut game = played(timed(START, "60"), detours);
        assert_eq!(game.tick(seconds(100)).unwrap_err().code(), "game-over");
        assert_eq!(game.outcome(), drawn(Draw::FivefoldRepetition));
    }

    /// R19: the turn begins again, with the time it had.
    #[test]
    fn undo_gives_the_time_back_and_redo_takes_it_again() {
        let mut game = timed(START, "60+5");
        game.tick(seconds(10)).unwrap();
        play(&mut game, "e2e4");
        game.tick(seconds(3)).unwrap();
        let later = game.clone();
        game.undo().unwrap();
        assert_eq!(
            (game.time_left(WHITE), game.time_left(BLACK)),
            (Some(seconds(60)), Some(seconds(60)))
        );
        game.redo().unwrap();
        assert_eq!(game, later);
        assert_eq!(
            (game.time_left(WHITE), game.time_left(BLACK)),
            (Some(seconds(55)), Some(seconds(57)))
        );
    }
}

mod undo {
    use super::*;

    /// R19.
    #[test]
    fn moves_are_taken_back_and_played_again_as_often_as_there_are_any() {
        let mut game = start();
        assert_eq!(game.undo().unwrap_err().code(), "nothing-to-undo");
        let mut snapshots = vec![game.clone()];
        for text in "e2e4 d7d5 e4e5 f7f5 e5f6 e8d7 f6g7 d8e8 g7h8q d7c6".split(' ') {
            game.play(game.turn(), text).unwrap();
            snapshots.push(game.clone());
        }
        for snapshot in snapshots.iter().rev().skip(1) {
            game.undo().unwrap();
            assert_eq!((game.position(), game.status()), (snapshot.position(), snapshot.status()));
            assert_eq!((game.plies(), game.offer()), (snapshot.plies(), snapshot.offer()));
        }
        for snapshot in snapshots.iter().skip(1) {
            game.redo().unwrap();
            assert_eq!(game.position(), snapshot.position());
        }
        assert_eq!(game, snapshots[10]);
        assert_eq!(game.redo().unwrap_err().code(), "nothing-to-redo");
    }

    #[test]
    fn another_move_ends_what_could_be_played_again() {
        let mut game = played(start(), "e2e4 e7e5");
        game.undo().unwrap();
        play(&mut game, "c7c5");
        assert_eq!(game.redo().unwrap_err().code(), "nothing-to-redo");
    }

    #[test]
    fn an_offer_that_a_move_has_ended_stands_again() {
        let mut game = start();
        game.offer_draw(BLACK).unwrap();
        play(&mut game, "e2e4");
        assert_eq!(game.offer(), None);
        game.undo().unwrap();
        assert_eq!(game.offer(), Some(BLACK));
    }
}

mod records {
    use super::*;

    #[track_caller]
    fn assert_kept(game: &Game) {
        let text = game.record().to_string();
        let record: GameRecord = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(record, game.record());
        assert_eq!(record.restore().as_ref(), Ok(game), "{text}");
    }

    #[test]
    fn a_record_restores_the_very_game() {
        assert_kept(&start());
        assert_kept(&played(start(), "f2f3 e7e5 g2g4 d8h4"));
        let mut game =
            start().with_policy(Policy::Online).with_clock("40/5400+30:900d2.5".parse().unwrap());
        game.tick(Duration::from_millis(12_345)).unwrap();
        play(&mut game, "e2e4 e7e5 g1f3");
        game.offer_draw(WHITE).unwrap();
        assert_kept(&game);
        game.undo().unwrap();
        game.undo().unwrap();
        game.tick(Duration::from_nanos(1)).unwrap();
        assert_kept(&game);
        game.resign(WHITE).unwrap();
        assert_kept(&game);
        assert_kept(&played(super::game("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 3 9"), "e1b1"));
    }

    /// A clock may come late; the moves before it took no time.
    #[test]
    fn a_game_that_gets_its_clock_late_is_kept_as_well() {
        let mut game = played(start(), "e2e4 e7e5").with_clock("300+2".parse().unwrap());
        assert_kept(&game);
        game.undo().unwrap();
        assert_kept(&game);
        assert_eq!(game.time_left(WHITE), Some(Duration::from_secs(300)));
    }

    #[test]
    fn a_text_that_is_no_record_says_where() {
        let text = played(start(), "e2e4").record().to_string();
        let error = |from: &str, to: &str| {
            assert!(text.contains(from), "{text}");
            text.replacen(from, to, 1).parse::<GameRecord>().unwrap_err().to_string()
        };
        assert_eq!(error("game 1", "game 2"), "line 1: expected `game 1`, found \"game 2\"");
        assert_eq!(
            error("policy fide", "policy x"),
            "line 4: expected `policy fide` or `policy online`, found \"policy x\""
        );
        assert_eq!(
            error("played e2e4", "played e2"),
            "line 6: expected a move, perhaps with `clock` and `offer`, found \"played e2\""
        );
        assert_eq!(
            error("\nend\n", "\n"),
            "line 7: expected `played`, `undone` or `end`, found \"the end\""
        );
        assert_eq!(
            error("end\n", "end\nmore\n"),
            "line 8: expected nothing behind `end`, found \"more\""
        );
        assert!("".parse::<GameRecord>().is_err());
    }

    #[test]
    fn a_record_that_does_not_go_together_is_refused() {
        let text = played(start(), "f2f3 e7e5 g2g4 d8h4").record().to_string();
        let restored = |from: &str, to: &str| {
            assert!(text.contains(from), "{text}");
            text.replacen(from, to, 1).parse::<GameRecord>().unwrap().restore()
        };
        assert_eq!(restored("played e7e5", "played e7e4"), Err(RestoreError::Move { ply: 2 }));
        assert_eq!(
            restored("black wins by checkmate", "white wins by checkmate"),
            Err(RestoreError::Outcome)
        );
        assert_eq!(restored("outcome black wins by checkmate\n", ""), Err(RestoreError::Outcome));
        assert_eq!(restored("\nend", "\nplayed a2a3\nend"), Err(RestoreError::Move { ply: 5 }));
        assert_eq!(restored("\nend", "\nundone e7e5\nend"), Err(RestoreError::Undone));
        assert_eq!(
            restored("played e7e5", "played e7e5 clock 1 1 0 0 0"),
            Err(RestoreError::Clock)
        );
    }
}

/// R19: long random games, to the end, back to the start, and to the end again: the same at each ply, both ways.
#[test]
fn a_thousand_long_games_are_taken_back_and_played_again() {
    let mut longest = 0;
    for seed in 0..1_000u64 {
        let mut game = start();
        if seed % 2 == 0 {
            game = game.with_clock("3600+5".parse().unwrap());
        }
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut seen = vec![glance(&game)];
        while game.outcome().is_none() && game.plies() < 300 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let moves = game.position().legal_moves();
            let mv = moves[(random >> 33) as usize % moves.len()];
            if seed % 2 == 0 {
                game.tick(Duration::from_millis(random % 3_000)).unwrap();
            }
            game.play_move(game.turn(), mv).unwrap();
            seen.push(glance(&game));
        }
        longest = longest.max(game.plies());
        let end = game.clone();
        for earlier in seen.iter().rev().skip(1) {
            game.undo().unwrap();
            assert_eq!(glance(&game), *earlier);
        }
        for later in seen.iter().skip(1) {
            game.redo().unwrap();
            assert_eq!(glance(&game), *later);
        }
        assert_eq!(game, end);
    }
    assert_eq!(longest, 300);
}

/// All that can be seen of a game but its past.
fn glance(game: &Game) -> (Position, Status, usize, usize, Option<Duration>, Option<Duration>) {
    let (white, black) = (game.time_left(WHITE), game.time_left(BLACK));
    (*game.position(), game.status(), game.plies(), game.repetitions(), white, black)
}

/// What a spectator is told is what the game holds.
#[test]
fn what_is_told_of_a_move_is_what_the_game_holds() {
    let mut game = start();
    for text in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O"] {
        let played = game.play_san(game.turn(), text).unwrap();
        assert_eq!((played.san().as_str(), played.after()), (text, game.position()));
        let san: San = text.parse().unwrap();
        assert_eq!(san.resolve(played.before()), Ok(played.mv()));
        assert_eq!((played.fen(), played.status()), (game.fen(EnPassantFen::Legal), game.status()));
    }
}
